"""A schedule for others: OpenStreetMap syntax, a summary in words, an explanation."""
