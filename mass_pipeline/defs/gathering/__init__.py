"""Assets: the parishes and the addresses of their sites."""
