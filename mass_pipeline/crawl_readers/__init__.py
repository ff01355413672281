"""What the crawler asks of the readers of pages, behind its ports: whether a site has said enough, what an article says.

The crawler imports no reader; whoever starts a crawl passes these to it.
"""
