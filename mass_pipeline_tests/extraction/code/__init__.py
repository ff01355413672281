"""What code and data show, without running it."""
