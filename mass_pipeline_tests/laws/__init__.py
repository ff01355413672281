"""The laws of what is published (docs/reading.md): texts whose truth is known because they were made from it.

Written by people who did not read the reader: it is asked through its public doors alone.
"""
