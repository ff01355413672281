"""Bandit policies of link collection at play: the game and generated sets of sites (B6-B10)."""
