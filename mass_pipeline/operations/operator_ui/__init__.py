"""The Dagster UI as operators reach it: a guard before its server, and the processes that make it up.

Not here: the command (cli/ui), assets and their definitions.
"""
