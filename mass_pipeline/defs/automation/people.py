"""What people outside say and ask: the inbox is settled, and parishes are written to. Off until switched on, like all sensors.

What an approval publishes is no matter of these: it follows the log of reviews.
"""

from __future__ import annotations

import dagster as dg

from mass_pipeline.finding.config import PublicConfig
from mass_pipeline.publishing.published import Published
from mass_pipeline.publishing.reviews import ReviewLog
from mass_pipeline.resources.alerts import Alerts
from mass_pipeline.resources.lake import Lake
from mass_pipeline.resources.settings import Settings


def build_people_sensors(settings: Settings, lake: Lake, alerts: Alerts) -> list[dg.SensorDefinition]:
    """`settle_inbox`, `parish_mail`."""
    published = Published(settings, lake, ReviewLog(settings.shared))

    @dg.sensor(
        name="settle_inbox",
        minimum_interval_seconds=120,
        description="Takes in reports of visitors and answers of parishes; what needs a person becomes a proposal.",
    )
    def settle_inbox(context: dg.SensorEvaluationContext) -> dg.SkipReason:
        from mass_pipeline.publishing.inbox import settle

        done = settle(published)
        return dg.SkipReason(
            f"{done.reports} reports; {done.proposed} new proposals, {len(done.confirmed)} orders confirmed, "
            f"{done.dropped} dropped."
        )

    @dg.sensor(
        name="parish_mail",
        minimum_interval_seconds=3600,
        description="Sends parishes the links they ask for, and a reminder two weeks before Christmas and Easter.",
    )
    def parish_mail(context: dg.SensorEvaluationContext) -> dg.SkipReason:
        from mass_pipeline.publishing.parish_mail import write_letters

        if not settings.section(PublicConfig).parish_mail:
            return dg.SkipReason("Nobody is written to: set MASS_PIPELINE_PUBLIC_PARISH_MAIL=true.")
        done = write_letters(published, alerts)
        return dg.SkipReason(f"{done.sent} letters sent; {done.without_address} parishes publish no address.")

    return [settle_inbox, parish_mail]
