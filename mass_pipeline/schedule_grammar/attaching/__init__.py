"""Which conditions govern which hours: scopes over lines, tables, brackets and footnotes."""
