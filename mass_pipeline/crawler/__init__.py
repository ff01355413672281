"""Polite, crash-safe crawling of many small sites: frontier, scope, robots, politeness, gate, transport, engine."""
