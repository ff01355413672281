"""When one can confess in every week, as a page says it: `confessions_of`. Words of statements: words.toml."""

from mass_pipeline.reading.confession.statements import Confession, confessions_of

__all__ = ["Confession", "confessions_of"]
