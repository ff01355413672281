"""Who asks: the one name that every request of this project carries, with a way to reach the operator (RFC 9110 10.1.5)."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Final

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
