"""From the words of a schedule to Masses.

`grammar` says which hours hold under which conditions, `validity` what replaces what.
"""
