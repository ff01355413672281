"""The laboratory (extra `lab`): what compares, measures and trains, and the collector of external links with its bandits.

Nothing outside imports it; the command line reaches it by name, `mass-pipeline lab`. It may import everything else.
"""
