"""Every constant of the crawler, with unit, default and the requirement it comes from. Values only, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from mass_pipeline.model.settings import setting

MIB: Final = 1024 * 1024

STRATEGIES: Final = ("breadth_first", "best_first")
SCORERS: Final = ("words", "learnt")

NEVER_CRAWL: Final = (
    "facebook.com", "fb.com", "instagram.com", "twitter.com", "x.com", "youtube.com", "youtu.be", "tiktok.com", "linkedin.com",
    "pinterest.com", "tumblr.com", "google.com", "google.pl", "goo.gl", "bing.com", "yahoo.com", "wikipedia.org", "wikimedia.org",
    "allegro.pl", "olx.pl", "onet.pl", "wp.pl", "nk.pl", "booking.com", "tripadvisor.com", "tripadvisor.pl", "amazon.com",
    "apple.com", "microsoft.com", "w3.org", "gov.pl", "archive.org", "deon.pl",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CrawlConfig:
    """Settings of one crawl; the section `crawl` of the settings table."""

    # How far
    max_depth: int = setting(3, "Most links between start page and page", unit="links", minimum=0, maximum=20)
    max_pages_per_site: int = setting(60, "Most pages kept per site; likely schedule pages first", unit="pages", minimum=1)
    max_dated_pages_per_site: int = 40  # Most pages per site whose URL is a date (calendars, archives); counted apart
    max_pages_per_prefix: int = 400  # Most URLs per site below one first path segment
    max_site_seconds: float = setting(3600.0, "Time budget of one site; the rest is deferred", unit="s", minimum=1)
    max_crawl_seconds: float = setting(
        10800.0, "Time budget of one crawl of a diocese; what was not asked by then is deferred", unit="s", minimum=1
    )
    frontier_capacity: int = 2000  # Most waiting URLs per site (10,000 pages meet about 60,000 URLs)
    # Sitemaps asked for when the links of a site are used up: those of robots.txt, /sitemap.xml where links are few
    sitemaps: str = "offered"
    max_sitemaps: int = 4  # Most sitemap files per site and run (hazards T12)
    max_sitemap_pages: int = 20  # Most pages a run takes from sitemaps; likely schedule pages first (hazards T12)
    few_links: int = 5  # Fewer known URLs than this are few links
    max_url_chars: int = 256  # Longer URLs are traps
    max_query_variants: int = 60  # Most URLs of one path that differ in the query
    max_segment_repeats: int = 2  # Most times one path segment may repeat
    near_duplicate_bits: int = 3  # Pages of one series whose 64-bit simhashes differ in at most so many bits are repeats
    strategy: str = setting(
        "breadth_first",
        "Order of the frontier",
        choices=STRATEGIES,
    )
    scorer: str = setting(
        "words",
        "What makes a link promising; also orders links of equal depth",
        choices=SCORERS,
    )
    stop_when_found: bool = setting(
        False,
        "Ask no new page of a site once two of its pages state the same standing schedule",
        source="docs/crawl-strategies.md",
    )
    seed: int = 20261120  # Seed of the jitter of retries
    never_crawl: tuple[str, ...] = NEVER_CRAWL  # Registrable domains that are never crawled
    removed_hosts: tuple[str, ...] = setting(
        (),
        "Hosts whose owners want no part in this: never asked, and what was kept of them is erased",
        source="hazards P12",
        emulated=("parafia-cisow.example",),
    )
    removed_urls: tuple[str, ...] = setting(
        (), "Pages whose owners want no part in this: never asked, and what was kept of them is erased", source="hazards P12"
    )
    merge_case_and_slash: bool = setting(False, "Take URLs for one that differ in letter case or a trailing slash")

    # At once
    sites_at_once: int = setting(100, "Sites crawled at the same time", unit="sites", minimum=1, maximum=5000)
    max_per_address: int = 2  # Requests in flight per server address (hazards P5)

    # Several runs at once
    lease_seconds: float = 20.0  # A run that was killed keeps its hosts from the other runs for so long
    lease_turn_seconds: float = 60.0  # A run asks a host for so long at a time while other runs wait for it

    # Politeness
    start_delay_seconds: float = setting(5.0, "AutoThrottle: first delay", unit="s", minimum=0, demo=0.0)
    min_delay_seconds: float = 0.0  # AutoThrottle: least delay
    max_delay_seconds: float = 60.0  # AutoThrottle: greatest delay
    target_concurrency: float = 1.0  # AutoThrottle: wanted requests in flight
    host_gap_seconds: float = setting(
        1.0,
        "Least time between an answer of a host and the next request to it",
        unit="s",
        source="hazards P5",
        minimum=0,
        demo=0.0,
    )
    max_crawl_delay_seconds: float = setting(
        60.0, "Crawl-delay is obeyed up to this", unit="s", source="docs/crawler.md", minimum=0, demo=0.2
    )
    robots_max_age_seconds: float = 86400.0  # robots.txt is asked again after (RFC 9309 2.4)
    robots_max_bytes: int = 512_000  # Read so much of robots.txt (RFC 9309 2.5)
    robots_max_redirects: int = 5  # Redirects followed for robots.txt (RFC 9309 2.3.1.2)

    # Failures
    max_attempts: int = setting(3, "Tries of one URL in one run", unit="requests", minimum=1, maximum=10)
    retry_base: float = 1.5  # After t failures in a row wait base^t seconds
    retry_jitter: float = 0.25  # Random share added to that wait
    max_retry_after_seconds: float = 86400.0  # Longest Retry-After that is obeyed (hazards P6)
    max_wait_seconds: float = 120.0  # A site that must wait longer is deferred to the next run (hazards P8)
    host_failure_limit: int = 3  # Busy or dead answers in a row that end a host for this run (hazards P8)
    site_error_limit: int = 5  # Pages in a row with a server error that end a site for this run (hazards P8)

    # One request
    max_body_bytes: int = 5 * MIB  # Bytes read of one page, on the wire and decompressed
    connect_seconds: float = 10.0  # Time limit of a connection
    idle_seconds: float = 15.0  # Longest silence of a server
    min_bytes_per_second: float = 500.0  # Slower bodies are left, what came is kept, B/s (hazards T2)
    slow_after_seconds: float = 10.0  # Time a body has to gain speed (hazards T2)
    total_seconds: float = 60.0  # Time limit of one request
    max_redirects: int = 8  # Redirects in a row (docs/hazards.md)
    allow_unverified_tls: bool = True  # Ask once more without verification when a certificate fails; the page says so
    keep_pdf: bool = True  # Keep PDF files too: some parishes state their schedule only there

    # In a browser
    render: bool = setting(
        False,
        "Show pages that only scripts fill to a browser (extra browser); all it gets is asked for by the crawl itself",
        source="docs/decisions/0032",
    )
    render_browser: str = setting(
        "/usr/bin/chromium-headless-shell", "The browser: Chromium, or its shell without windows", source="docs/decisions/0032"
    )
    render_pages: int = 10  # Most pages of a site that a run shows to a browser (docs/decisions/0032)
    render_requests: int = 40  # Most requests of one such page; pages of a site share answers (docs/decisions/0032)
    render_bytes: int = 16 * MIB  # Most bytes received for one such page (docs/decisions/0032)
    # Time limit of one such page, the pauses between its requests included (docs/decisions/0032)
    render_seconds: float = 300.0
    render_script_seconds: float = 15.0  # Time its scripts may work, waits for answers not counted (docs/decisions/0032)
    render_memory_bytes: int = 1024 * MIB  # Memory of a browser; one that takes more is ended (docs/decisions/0032)
    render_at_once: int = 2  # Browsers at the same time (docs/decisions/0032)
    # Hosts besides the site's own domain whose scripts such a page may load; their data never
    render_script_hosts: tuple[str, ...] = ("ajax.googleapis.com", "cdnjs.cloudflare.com", "cdn.jsdelivr.net", "unpkg.com")

    # Again
    revisit: str = setting("due", "Which known pages a finished crawl asks again", choices=("due", "all", "never"))
    revisit_first_days: float = 7.0  # Days until the first visit again
    # Pages that a published schedule rests on are asked again after so many days, however seldom they change
    revisit_evidence_days: float = 6.0
    revisit_min_days: float = 1.0  # Least days between visits of a page
    revisit_max_days: float = 60.0  # Most days between visits of a page

    # Storage
    commit_seconds: float = 1.0  # What was gathered is safe from a power cut after so long (docs/crawler.md)
    compression_level: int = 1  # zstd level of stored pages

    min_free_bytes: int = setting(
        2048 * MIB,
        "With less free space a crawl pauses, and goes on by itself",
        unit="bytes",
        source="hazards D3",
        minimum=0,
        demo=0,
    )
    max_disk_wait_seconds: float = 3600.0  # So long it waits for space before the run ends (hazards D3)

    # Not in the settings table: chosen by the caller
    contact: str = ""
    leases: str = ""  # folder or postgresql://..., where all runs of the installation agree on hosts; "" for a run alone
    allow_private_hosts: bool = False
    no_delay: bool = False

    @property
    def user_agent(self) -> str:
        """See `identity.user_agent_of`."""
        return user_agent_of(self.contact)


ROBOT_NAME: Final = "MassPipelineBot"  # the product token webmasters write in robots.txt


def user_agent_of(contact: str) -> str:
    """The User-Agent: name, version of the installed package, and the operator's contact where there is one.

    >>> user_agent_of("").partition("/")[0], user_agent_of("me@parish.example").partition(" ")[2]
    ('MassPipelineBot', '(+mailto:me@parish.example)')
    >>> user_agent_of("https://parish.example/bot").partition(" ")[2]
    '(+https://parish.example/bot)'
    """
    contact = contact.strip().replace("\r", "").replace("\n", "")
    name = f"{ROBOT_NAME}/{_version()}"
    if not contact:
        return name
    return f"{name} (+{contact})" if "://" in contact else f"{name} (+mailto:{contact})"


@cache
def _version() -> str:
    try:
        return version("mass_pipeline")
    except PackageNotFoundError:  # run from a folder of sources that nobody installed
        return "0"
