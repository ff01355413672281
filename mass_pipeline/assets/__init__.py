"""Assets, one module each; LINEAGE lists them in order."""
