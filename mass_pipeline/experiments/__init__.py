"""The laboratory: strategies of crawling, bandit policies and rivals of the classifier compared, shipped models trained.

Only commands and benchmarks import it.
"""
