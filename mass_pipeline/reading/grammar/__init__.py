"""Lines of a schedule as assertions: scope is inherited down the outline, statements are values with examples."""
