"""What may be shown of a line of a page: words that name no person, and none of the numbers that belong to one.

What is not known to be harmless is hidden: a list of harmless words can be written, a list of all names cannot.
"""
