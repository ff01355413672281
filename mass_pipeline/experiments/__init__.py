"""The laboratory: strategies of crawling and bandit policies compared on graphs and generated sets of sites.

Only commands and benchmarks import it.
"""
