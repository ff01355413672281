"""How well a strategy crawls: measures, generated graphs, folders of real sites, runs, tables and pictures (V11).

Knows no server: who serves the sites passes them in as a `web` (see `running.EvaluationWeb`).
"""
