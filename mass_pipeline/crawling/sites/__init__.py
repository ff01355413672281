"""The crawl of many sites: its frontier, the engine, its store and its report."""
