"""The vocabulary every layer shares: records, columns, identifiers, errors. Imports nothing of the project."""
