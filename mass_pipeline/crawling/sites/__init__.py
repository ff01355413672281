"""The crawl of many sites: frontier, strategies, scorers, the engine, its store and its report."""
