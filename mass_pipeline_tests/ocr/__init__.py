"""Schedules in pictures."""
