"""How well a strategy crawls: measures, generated graphs, folders of real sites, runs, tables and pictures (V11)."""
