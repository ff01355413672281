"""What replaces, adds to or removes what: hours under conditions become Masses."""
