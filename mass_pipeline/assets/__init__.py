"""The lineage: one module per asset, listed in order (design section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mass_pipeline.assets.annotated_set import annotated_set
from mass_pipeline.assets.announcements import announcements
from mass_pipeline.assets.candidate_hours import candidate_hours
from mass_pipeline.assets.companion_sites import companion_sites
from mass_pipeline.assets.crawled_pages import crawled_pages
from mass_pipeline.assets.external_links import external_links
from mass_pipeline.assets.hours_classifier import hours_classifier
from mass_pipeline.assets.mass_schedules import mass_schedules
from mass_pipeline.assets.parish_positions import parish_positions
from mass_pipeline.assets.parish_states import parish_states
from mass_pipeline.assets.parish_urls import parish_urls
from mass_pipeline.assets.parishes import parishes
from mass_pipeline.assets.public_index import public_index

if TYPE_CHECKING:
    from mass_pipeline.assets.stage import Stage

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
