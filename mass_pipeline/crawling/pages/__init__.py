"""What a fetched page holds for the crawl: links, words, feeds, likeness. Bytes in, values out; no state, no policy."""
