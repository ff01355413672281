"""Pages of the annotation app: Starlette/FastAPI routes, templates, cookies, limits. No SQL; see queue, voting, review."""
