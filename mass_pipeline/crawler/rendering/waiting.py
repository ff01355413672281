"""Which pages wait for a browser: those that are `javascript_only` as they came. Reads them with the rules, lazily imported."""

from __future__ import annotations

from functools import partial

from mass_pipeline.extraction.door import parsed_aside
from mass_pipeline.model.errors import MassPipelineError


async def waits_for_scripts(body: bytes, content_type: str | None, url: str) -> bool:
    """Whether a page shows nothing, or not its schedule, before its scripts have run; False for one that cannot be read."""
    if b"<script" not in body.lower():
        return False
    try:
        return await parsed_aside(partial(_waits, content_type=content_type, url=url), body)
    except (MassPipelineError, ValueError, RecursionError):
        return False


def _waits(body: bytes, content_type: str | None, url: str) -> bool:
    from mass_pipeline.schedule_grammar.judging.sites import shows_nothing_by_itself
    from mass_pipeline.site_reading.guarded import read_whole

    return shows_nothing_by_itself(read_whole(body, content_type, url)[1])
