"""What is published: rows, states and positions of parishes, the generations of the index, promises, reviews, removal."""
