"""Words are read here: vocabulary (as data), folding, lexer, hours of the clock, dates, feasts.

Not here: what the words mean for a Mass (the two grammars).
"""
