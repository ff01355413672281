"""Words of the languages the grammar knows, as data: one folder per language, one file per topic."""
