"""From bytes to candidate hours: characters, visible text with structure, hours in their context."""
