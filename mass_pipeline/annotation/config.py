"""Settings of the annotation app, each with its unit and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mass_pipeline.model.settings import setting


@dataclass(frozen=True, slots=True)
class AnnotationConfig:
    """How questions are handed out, when answers become a label, and how the app is reached."""

    database: str = setting("", "SQLAlchemy URL (sqlite:///... or postgresql://...); empty means SQLite in the data folder")
    host: str = "127.0.0.1"  # Address to listen on; another one than loopback needs trusted_proxies
    port: int = 8094  # Port to listen on
    public_hosts: tuple[str, ...] = setting(
        ("127.0.0.1", "localhost", "[::1]"), "Host names under which the app is reached; others are refused (DNS rebinding)"
    )
    trusted_proxies: tuple[str, ...] = setting(
        (), "Addresses or networks of proxies whose X-Forwarded-For is believed", source="hazard W6"
    )
    secret: str = setting("", "Key that signs cookies; empty means one kept in the data folder", secret=True)
    contact: str = ""  # Not a setting: that of the operator, shown on the privacy page

    overlap: int = 3  # Answers wanted for an item before disagreement (docs/annotation.md)
    max_overlap: int = 9  # Answers after which a disputed item goes to the operator
    # Probability of a label from which it counts as settled, 0..1 (docs/annotation.md, swept in the campaign simulation)
    accept_probability: float = 0.99
    independent_origins: int = 3  # Networks from which a label of unproven voters must come (hazard W11)
    origin_share: float = 0.02  # Largest share of all votes that one network counts with, 0..1 (hazard W11)
    origin_floor: int = 60  # Votes of one network that always count fully
    proven_votes: int = 20  # Compared answers after which a voter's record counts as proven
    ban_below: float = 0.5  # Share of right answers under which a proven voter is no longer counted, 0..1

    least_page_score: float = 0.3  # Score of a page from which its hours are asked; 0 asks all, 0..1
    low_page_sample: float = 0.05  # Share of the hours of lower pages that are asked all the same, 0..1

    reservation_seconds: int = 600  # How long a shown item is kept for one person
    gold_share: float = 0.1  # Share of hidden test questions, 0..1
    gold_from_decisions: bool = True  # Whether what the operator has decided serves as hidden test questions too
    practice_questions: int = 7  # Practice questions with feedback for a new person; 0 asks none
    random_share: float = 0.2  # Share of items drawn at random instead of the most uncertain, 0..1
    skill_interval_seconds: int = 60  # Least time between two estimates of everybody's skill

    votes_per_minute: int = 30  # Answers of one voter, 1/min (hazard W7)
    prefix_votes_per_minute: int = 120  # Answers from one address prefix (IPv4 /24, IPv6 /48), 1/min (hazard W7)
    prefix_pages_per_minute: int = 600  # Pages sent to one address prefix, 1/min
    prefix_voters_per_hour: int = 60  # New voters from one address prefix, 1/h
    logins_per_minute: int = 5  # Log-in attempts from one address prefix, 1/min
    rate_key_hours: int = 72  # Age at which the key of address hashes and all made with it are destroyed
    instructions_days: int = 2  # Days after which the instructions are shown again
    cookie_days: int = 90  # Life of a voter's cookie
    operator_hours: int = 8  # Life of an operator's session
    max_body_bytes: int = 65_536  # Largest request body

    def database_url(self, data_folder: Path) -> str:
        """The database of the settings, or SQLite in the data folder."""
        return self.database or f"sqlite:///{data_folder / 'annotation' / 'annotation.db'}"
