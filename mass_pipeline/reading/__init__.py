"""From the bytes of a page to Masses.

`text` gives lines with their place, `words` the vocabulary and its tokens, `phrases` days, seasons and places, `grammar` which
hours hold under which conditions, `validity` what replaces what, `regular` which blocks are the order of the year, `changes` what
announcements change, `formats` how an order is written out.
"""
