"""What components, scripts and data files show to a visitor, worked out without running them.

Belongs here: the syntax of JavaScript and its dialects, literals, loops over literals, rows of JSON. Nothing is ever executed or
fetched: what depends on anything but the text itself stays unknown, and unknown is shown as nothing.
"""
