"""From a directory of parishes to the web site of each: sources, Places look-ups under a quota, evidence, verification.

Entry points: `read_directory`, `read_table` (parishes), `find_websites` (parish_urls), `open_ledger` (units), `home_reader`
(verification through the crawler's gate). See docs/directory.md.
"""
