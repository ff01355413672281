"""Tokens to nodes: hours, days, seasons, places, remarks, line by line. No condition is attached to an hour here."""
