"""Where code is taken apart: in a process that can be ended, as the parser of its syntax may never come back.

tree-sitter's scanner of JSX loops without end on some damaged files of 600 characters, and no signal reaches Python meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from mass_pipeline.extraction.code.files import site_markups
from mass_pipeline.guard import Guard, Limits, TooCostly, is_kept_process

_CPU_SECONDS: Final = 5  # the longest of the written components takes some hundredths
_CPU_SECONDS_OF_A_SITE: Final = 20
_MODULES: Final = tuple(f"mass_pipeline.extraction.code.{name}" for name in ("files", "scripts", "page_templates"))


def told_aside(function: Callable[..., str], *args: object, size: int, guard: Guard | None = None) -> str:
    """The markup that a function makes of code; "" when it had to be ended.

    Args:
        function, args: picklable.
        size: characters of the code.
        guard: None for the one that all of this process share. In a process that is kept for such work it is called at once.
    """
    if guard is None and is_kept_process():
        return function(*args)
    try:
        return (guard or _shared()).call(function, *args, size=size)
    except TooCostly:
        return ""


def markups_aside(files: Mapping[str, str], *, size: int) -> dict[str, str | None]:
    """The markup of every file of a site (`files.site_markups`); {} when it had to be ended, so that each is read by itself.

    Args:
        files: texts by path.
        size: characters of all of them.
    """
    if is_kept_process():
        return site_markups(files)
    try:
        return _of_sites().call(site_markups, dict(files), size=size)
    except TooCostly:
        return {}


@cache
def _of_sites() -> Guard:
    return Guard(Limits(cpu_seconds=_CPU_SECONDS_OF_A_SITE), modules=_MODULES)


@cache
def _shared() -> Guard:
    return Guard(Limits(cpu_seconds=_CPU_SECONDS), modules=_MODULES)
