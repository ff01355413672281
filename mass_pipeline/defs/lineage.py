"""The lineage: one module per asset, listed in order (design section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mass_pipeline.defs.crawling.crawled_pages import crawled_pages
from mass_pipeline.defs.crawling.external_links import external_links
from mass_pipeline.defs.gathering.companion_sites import companion_sites
from mass_pipeline.defs.gathering.parish_urls import parish_urls
from mass_pipeline.defs.gathering.parishes import parishes
from mass_pipeline.defs.learning.annotated_set import annotated_set
from mass_pipeline.defs.learning.hours_classifier import hours_classifier
from mass_pipeline.defs.publishing.parish_positions import parish_positions
from mass_pipeline.defs.publishing.parish_states import parish_states
from mass_pipeline.defs.publishing.public_index import public_index
from mass_pipeline.defs.reading.announcements import announcements
from mass_pipeline.defs.reading.candidate_hours import candidate_hours
from mass_pipeline.defs.reading.mass_schedules import mass_schedules

if TYPE_CHECKING:
    from mass_pipeline.defs.stage import Stage

LINEAGE: Final[tuple[Stage, ...]] = (
    parishes,
    parish_urls,
    crawled_pages,
    candidate_hours,
    annotated_set,
    hours_classifier,
    mass_schedules,
    parish_states,
    external_links,
    companion_sites,
    announcements,
    parish_positions,
    public_index,
)
