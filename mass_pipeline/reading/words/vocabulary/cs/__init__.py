"""Czech."""
