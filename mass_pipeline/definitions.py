"""Assemble the Dagster definitions; nothing is implemented here."""
