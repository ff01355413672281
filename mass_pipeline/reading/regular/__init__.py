"""Which parts of a page are its standing order, and how pages make one schedule of a site."""
