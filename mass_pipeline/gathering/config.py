"""Settings of discovery: the directory and its selectors, the choice of web sites, Places and its quota."""

from __future__ import annotations

from dataclasses import dataclass

from mass_pipeline.model.settings import setting


@dataclass(frozen=True, slots=True)
class DirectoryConfig:
    """Where the parishes come from and how the directory's pages are read (section `directory`)."""

    sources: tuple[str, ...] = setting(
        (),
        "Sources of parishes in order of precedence: deon, table, osm; empty means the table where table_file is set, else deon",
    )
    allow_live: bool = setting(
        False,
        "The operator has checked the directory's terms, or has its consent, and wants it fetched (docs/terms.md)",
        emulated=True,
    )
    start_url: str = setting(
        "https://www.deon.pl/parafie-koscioly/",
        "First list page of the directory",
        emulated="http://parafie.demo-katalog.example/parafie-koscioly/",
    )
    page_path: str = "strona,{page}.html"  # Further list pages, relative to the first
    row_selector: str = "td.temat"  # CSS selector of the cell that holds name and link of a parish
    row_cells: tuple[str, ...] = ("town", "voivodeship", "diocese", "deanery")  # Meaning of the cells after that cell, in order
    address_selector: str = ".adres.adres2"  # CSS selector of the heading before the address
    address_block_selector: str = "div.row"  # CSS selector of the next element: the address itself
    website_label: str = "www:"  # Bold label before the web site on a detail page
    rows_per_page: int = 10  # Rows of a full list page
    canary_rows: int = 9  # Least rows on a list page that is not the last
    canary_diocese_share: float = 0.95  # Least share of rows with a diocese, 0..1
    canary_address_share: float = 0.95  # Least share of detail pages with an address, 0..1
    canary_count_tolerance: float = 0.05  # Largest change of the number of parishes since the last run, 0..1
    table_file: str = setting("", "CSV, TSV or Parquet file of parishes for the source `table`")
    osm_source: str = setting("", "File or Overpass URL with OSM churches for the source `osm`")
    request_gap_seconds: float = setting(2.0, "Least time between two requests to the directory", unit="s", minimum=0, demo=0.0)
    timeout_seconds: float = 30.0  # Time-out of a directory request
    max_attempts: int = setting(8, "Attempts before a page is given up", minimum=1, demo=3)

    @property
    def used_sources(self) -> tuple[str, ...]:
        """Sources in order of precedence, never empty."""
        return self.sources or (("table",) if self.table_file else ("deon",))


@dataclass(frozen=True, slots=True)
class PlacesConfig:
    """Google Places and its quota (section `places`)."""

    api: str = setting("new", "Which Places API is asked; new projects cannot enable `legacy`", choices=("new", "legacy"))
    api_key: str = setting("", "Key of the Places API; empty means Places is not asked", secret=True, emulated="AIzaDemo")
    terms_confirmed: bool = setting(
        False, "The operator has read docs/terms.md and holds a permitted use of Places content", emulated=True
    )
    units_per_day: int = setting(
        1000, "Units that may be spent in 24 hours; counts as 0 without a key", unit="units", minimum=0, emulated=100_000
    )
    window_hours: float = 24.0  # Length of the rolling window of the limit
    search_units: int = 10  # Cost of a Text Search, units
    details_units: int = 1  # Cost of a Details call, units
    lease_seconds: float = 60.0  # So long another process waits for an answer; then the one who asked is dead, and it asks
    content_days: float = setting(
        0.0,
        "How long Places content other than place_id is kept; 0 means only until verification",
        unit="days",
        minimum=0,
        maximum=30,
    )
    language: str = "pl"  # Language of the answers
    region: str = "pl"  # Region the answers are biased to
    max_details: int = 3  # Details asked for at most so many places of one search
    timeout_seconds: float = 20.0  # Time-out of a Places request
    max_attempts: int = 3  # Attempts while Places is out of order; each attempt is paid for
    queries_per_second: int = setting(10, "Most Places requests per second", unit="1/s", minimum=1, demo=1000)
    parallel_lookups: int = 8  # Parishes looked up at the same time


@dataclass(frozen=True, slots=True)
class WebsitesConfig:
    """How a web site is chosen among the candidates (section `websites`)."""

    policy: str = setting(
        "evidence", "Choose by evidence, or take the first result as in 2018", choices=("evidence", "first_result")
    )
    verify: bool = setting(True, "Fetch the home page of the best candidates and look for the parish on it")
    verify_at_most: int = 3  # Home pages fetched per parish
    contact_pages: int = 2  # Further pages (frames, contact) read of a site whose home page is not enough
    accept_score: float = 0.6  # Least score of an unverified candidate that is accepted when verification is off
    operator_file: str = setting("", "CSV with parish_id and url: web sites the operator knows")
    retry_days: float = 7.0  # Days after which a parish is looked up again whose likely site did not answer
    dead_runs: int = 3  # Runs in a row without an answer after which a site is looked up again
