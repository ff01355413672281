"""Training of the learnt link scorer: examples from crawls, folders and written menus (V9)."""
