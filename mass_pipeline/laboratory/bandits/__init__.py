"""Which site of a target set to fetch the next page from, so that a page budget finds the most external links (B6-B10).

Belongs here: policies, their statistics, the game and generated sets to compare them on. Not here: fetching pages, storing links.
"""
