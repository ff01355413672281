"""The public index: one SQLite file per generation, built whole, judged, and put in the place of the last one at once."""
