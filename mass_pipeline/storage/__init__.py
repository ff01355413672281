"""Small objects by name, replaced as a whole by whoever saw the present one last: in a folder, or in object storage.

Belongs here: the port, its two stores, opening. Not here: what the objects mean, tables (resources.lake).
"""
