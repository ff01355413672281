"""Take the kept pages of a directory walk out of the state of discovery at the wish of their owner.

Addresses that look-ups found stay with the parish: they tell that a site is not to be asked, and hold no words of it.
"""

from __future__ import annotations

from collections.abc import Callable

from mass_pipeline.discovery.state_port import Connection, StateStore


def erase_raw_pages(state: StateStore, is_covered: Callable[[object], bool]) -> int:
    """Forget every kept page whose address, or the one that answered, is covered; how many those were."""
    rows = state.rows("SELECT edition, url, final_url FROM raw_pages")
    gone = [(edition, url) for edition, url, final_url in rows if is_covered(url) or is_covered(final_url)]

    def erase(connection: Connection) -> int:
        connection.executemany("DELETE FROM raw_pages WHERE edition = ? AND url = ?", gone)
        return len(gone)

    return state.write(erase) if gone else 0
