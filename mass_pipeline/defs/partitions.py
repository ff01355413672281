"""The dioceses of data/dioceses.csv as static partitions (reading and spellings: gathering.dioceses).

Static, so that the command line, CI and schedules work without instance state. The order of the file defines ranges:
append only. No reading of settings here; the path is an argument.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import dagster as dg

from mass_pipeline.gathering.dioceses import Dioceses
from mass_pipeline.model.errors import ConfigurationError

_KEY: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")  # a key names a folder and stands in run tags
_LONGEST_KEY: Final = 60  # characters; file systems refuse names of more than 255 bytes


DIOCESE_TAG: Final = "diocese"  # of every queued run of one diocese: the limits of deploy/ go by it


def range_of(tags: Mapping[str, str]) -> tuple[str, str] | None:
    """First and last diocese of a run by its tags; None of one over whole tables.

    Dagster names a single partition and a range by different tags, and a backfill gives even its runs of one diocese a range.

    >>> range_of({"dagster/partition": "lodzka"})
    ('lodzka', 'lodzka')
    """
    if (key := tags.get("dagster/partition")) is not None:
        return key, key
    first, last = (tags.get(f"dagster/asset_partition_range_{end}") for end in ("start", "end"))
    return (first, last) if first is not None and last is not None else None


def dioceses_of(tags: Mapping[str, str], keys: Sequence[str]) -> Sequence[str]:
    """Dioceses that a run is about, by its tags.

    Args:
        keys: all there are, in their order.

    >>> dioceses_of({"dagster/asset_partition_range_start": "b", "dagster/asset_partition_range_end": "c"}, ["a", "b", "c"])
    ['b', 'c']
    """
    ends = range_of(tags)
    if ends is None or not set(ends) <= set(keys):
        return []
    return keys[keys.index(ends[0]) : keys.index(ends[1]) + 1]


def diocese_partitions(path: Path) -> dg.StaticPartitionsDefinition:
    """One partition per row of the file of dioceses (columns key, name, spellings), in its order.

    Raises:
        ConfigurationError: the file is missing, empty or malformed, or a key is no plain word; the message names the file.
    """
    keys = [row.key for row in Dioceses.from_csv(path).rows]
    if not keys:
        raise ConfigurationError(f"{path} has no dioceses: it needs at least one row with key, name and spellings.")
    for key in keys:
        if len(key) > _LONGEST_KEY or not _KEY.fullmatch(key):
            raise ConfigurationError(
                f"{path}: the key {key[:_LONGEST_KEY]!r} must be lower-case letters, digits and single hyphens, "
                f"at most {_LONGEST_KEY} characters."
            )
    return dg.StaticPartitionsDefinition(keys)
