"""Settings of the public index, its site and its API (section `public`)."""

from __future__ import annotations

from dataclasses import dataclass

from mass_pipeline.model.settings import setting


@dataclass(frozen=True, slots=True)
class PublicConfig:
    """What is published, how far ahead, and how the site is reached."""

    horizon_days: int = 60  # Days laid out ahead, from yesterday, d
    positions_table: str = setting(
        "",
        "CSV or TSV with latitude and longitude per parish (parish_id, or name and town); empty means none",
        emulated="data/demo/positions.csv",
    )
    osm_extract: str = setting(
        "",
        "Overpass JSON of churches for positions and wheelchair access; empty means none",
        emulated="data/demo/churches-osm.json",
    )
    gazetteer: str = "data/gazetteer/pl.tsv"  # Towns with positions (GeoNames, CC BY 4.0); empty means none
    keep_generations: int = 3  # Generations of the index kept on disk
    min_parishes_share: float = 0.95  # Least share of the last generation's parishes with an order before a swap
    min_occurrences_share: float = 0.90  # Least share of the last generation's Masses on each of the next seven days
    host: str = "127.0.0.1"  # Address to listen on; another one than loopback needs trusted_proxies
    port: int = 8095  # Port to listen on
    public_hosts: tuple[str, ...] = setting(
        ("127.0.0.1", "localhost", "[::1]"), "Host names under which the site is reached; others are refused"
    )
    base_url: str = setting("", "Address of the site in feeds, calendars and data; empty means that of host and port")
    trusted_proxies: tuple[str, ...] = setting((), "Addresses or networks of proxies whose X-Forwarded-For is believed")
    map_tiles: str = setting(
        "",
        "Address of the tiles under the map, such as https://tiles.example/{z}/{x}/{y}.png, of one host or of the site itself; "
        "empty means none",
    )
    map_attribution: str = setting("", "What the source of map_tiles asks to be said, as plain text")
    # Address of directions to a church, {to} being its latitude,longitude or its street and town
    directions: str = "https://www.openstreetmap.org/directions?to={to}"
    contact: str = ""  # Not a setting: that of the operator, shown on the pages about data and privacy
    pages_per_minute: int = setting(
        1800,
        "Pages for one address (IPv4, or IPv6 /56), a third of them at once: 500 phones behind a carrier's address, a page each "
        "20 s, and a third to spare",
        unit="1/min",
        minimum=1,
    )
    api_per_minute: int = setting(1200, "API requests for one address, a third of them at once", unit="1/min", minimum=1)
    reports_per_day: int = 20  # Reports from one address prefix, 1/d
    parish_mail: bool = setting(
        False,
        "Parishes are written to (mail server of section alerts): the link they ask for, and a reminder two weeks before "
        "Christmas and Easter",
    )
    parish_contacts: str = setting(
        "", "CSV or TSV with parish_id and email, before what a parish's own site publishes; empty means none"
    )
    licence: str = "CC-BY-4.0"  # SPDX name of the licence of schedules and short quotes
    directory_confirmed: bool = setting(
        False, "Names and addresses of the directory may stand in bulk files (docs/terms.md)", emulated=True
    )
    opt_out: tuple[str, ...] = setting((), "parish_ids that asked to be left out")
    portals_state: str = setting("", "State folder of a `mass-pipeline watch` over portals whose news are shown too")
    stale_index_hours: int = 36  # Age of a generation from which pages carry a banner and health is 503
