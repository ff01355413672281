"""Collect external links from any target set of sites, politely and resumably, under a budget of pages (B1-B9).

Belongs here: the state file, the collector, what people see of it. Not here: policies (`bandits`), what is an external
link and the companion set (`web_graph`), requests (`downloader`).
"""
