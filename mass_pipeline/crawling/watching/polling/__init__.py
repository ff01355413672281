"""When to look at a news page again (C1, C2, J6): often enough to be fresh, seldom enough to be polite. Pure."""
