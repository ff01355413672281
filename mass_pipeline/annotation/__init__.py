"""The web app in which people say which hours are Masses, and the quality of their answers."""
