"""How well a strategy crawls: measures, generated graphs, folders of real sites, runs, tables and pictures (V11).

Only `webs` knows a server: what runs and measures is given the sites as a `web` (see `running.EvaluationWeb`).
"""
