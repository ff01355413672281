"""Pages that only scripts fill, shown by a real browser that has no network of its own (docs/decisions/0032)."""
