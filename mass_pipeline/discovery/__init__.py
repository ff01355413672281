"""From a directory of parishes to verified web sites: directory parsing, Places queries, matching, quota."""
