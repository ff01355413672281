"""The laws of what is published: texts whose truth is known because they were made from it.

L1 a denial takes its hours or days away, or they wait. L2 a Mass is taken away only by words that take it away. L3 a list stands
or falls as one. L4 a quote holds every word between the words that make the row. L5 a feast's name is not its day when a word
moves it. L6 two orders for the same days that differ are a doubt. L7 an order or a Mass of another church is not of this one.
L8 an hour that is typed is published or proposed.

Written by people who did not read the reader: it is asked through its public doors alone.
"""
