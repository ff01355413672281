"""The one door to the network: who may be asked, when, and what came back. No frontier, no page is parsed here."""
