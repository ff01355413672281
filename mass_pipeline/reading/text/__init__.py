"""From bytes to visible text with structure, and to candidate hours in context.

Belongs here: charset, markup, hidden parts, tables, lists, what is no text. Not here: what the words mean
(`reading`).
"""
