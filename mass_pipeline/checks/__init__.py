"""Asset checks, named as the assets they guard; each calls a pure validator."""
