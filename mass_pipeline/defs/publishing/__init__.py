"""Assets: states, positions and the public index."""
