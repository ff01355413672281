"""Adapters to the outside for the assets: HTTP, Places, storage, annotations, and the one table of settings."""
