"""Assets: pages and links of sites."""
