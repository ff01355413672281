"""Checks of `companion_sites`: nothing of the target set is in it, and its subsets are what their number says (B11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized

from mass_pipeline.crawling.web_graph import target_domains
from mass_pipeline.publishing.promises.verdict import Verdict

_MOST_FINDINGS = 20


def validate_companions(companions: Iterable[Mapping[str, object]], own_urls: Iterable[object]) -> Verdict:
    """No companion is a site of the target set, and its connectivity is the number of parishes it names.

    Args:
        companions: site, connectivity, linked_from.
        own_urls: start URLs of the target set; None where a parish has none.
    """
    own = target_domains(own_urls)
    count, faults = 0, []
    for row in companions:
        count += 1
        linked_from = row["linked_from"]
        assert isinstance(linked_from, Sized)
        if row["site"] in own or row["connectivity"] != len(linked_from) or not len(linked_from):
            faults.append(row)
    remedy = " Materialize companion_sites again: parish_urls has changed since." if faults else ""
    return Verdict(
        not faults,
        f"{count} companions, {len(faults)} that belong to the target set or to another subset.{remedy}",
        {"companions": count, "faults": len(faults)},
        [{"site": str(row["site"]), "connectivity": int(str(row["connectivity"]))} for row in faults[:_MOST_FINDINGS]],
    )
