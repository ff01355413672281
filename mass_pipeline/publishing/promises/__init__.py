"""What every published table promises, and who judges it."""
