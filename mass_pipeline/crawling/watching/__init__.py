"""Announcements that never sleep: watch the lists of sites, fetch what is new, keep what belongs to a topic (C1-C9, J1-J6).

Knows no Dagster, no environment; time comes in as a clock. Every request goes through the crawler's one door.
"""
