"""The one door through which what strangers wrote is parsed: here when it is ordinary, else where its parsing can be ended.

Ordinary input is parsed here: the cost grows with the length, and a few hundred kilobytes cost a second or two. What is larger,
every PDF and office file (libraries of others read them), and what turns out slow go to a process in which time and memory can
be ended. The answer is the same either way. Not here: what is parsed, and what follows when it was ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final, TypeVar

from mass_pipeline.guard import Guard, Slow, TooCostly, within_seconds
from mass_pipeline.model.sniffing import binary_kind

_T = TypeVar("_T")
_Content = TypeVar("_Content", bound=bytes | str)

# Of 1,096 real and generated pages one is larger, an archive of fifteen years' announcements.
ORDINARY_BYTES: Final = 200_000
SLOW_SECONDS: Final = 3.0  # of CPU; an ordinary page takes some milliseconds, the largest a second on a slow machine
_MODULES: Final = (
    "mass_pipeline.reading.text.reader",
    "mass_pipeline.reading.text.pdf",
    "mass_pipeline.reading.text.office",
    "pypdf",
)


def parsed(
    parse: Callable[[_Content], _T], content: _Content, *, guard: Guard | None = None, slow_seconds: float = SLOW_SECONDS
) -> _T:
    """What a parser makes of a content, wherever it is called.

    Args:
        parse: a function of a module, or `functools.partial` of one with arguments that can be pickled, as can its answer.
        content: as received.
        guard: where what is not ordinary is parsed; None for the one that all of this process share.
        slow_seconds: of CPU (`guard.within_seconds`), after which it is parsed anew where that can be ended.

    Raises:
        TooCostly: the parsing was ended. Whatever the parser raises.
    """
    aside = guard or shared_guard()
    if is_ordinary(content):
        try:
            return within_seconds(slow_seconds, parse, content)
        except Slow:
            pass
        except MemoryError as error:
            raise TooCostly("memory", aside.limits.memory_for(len(content)), len(content)) from error
    return aside.call(parse, content, size=len(content))


async def parsed_aside(
    parse: Callable[[_Content], _T], content: _Content, *, guard: Guard | None = None, slow_seconds: float = SLOW_SECONDS
) -> _T:
    """`parsed`, while the event loop goes on: what is ordinary in the one thread that parses, the rest in the other process."""
    aside = guard or shared_guard()
    if is_ordinary(content):
        try:
            return await in_parsing_thread(within_seconds, slow_seconds, parse, content)
        except Slow:
            pass
        except MemoryError as error:
            raise TooCostly("memory", aside.limits.memory_for(len(content)), len(content)) from error
    return await aside.call_aside(parse, content, size=len(content))


async def in_parsing_thread(function: Callable[..., _T], *args: object) -> _T:
    """Call a function beside the event loop; one at a time, as the memories of the grammar are made for one thread."""
    return await asyncio.get_running_loop().run_in_executor(_thread(), function, *args)


def is_ordinary(content: bytes | str) -> bool:
    """Whether a content is small enough, and text."""
    return len(content) <= ORDINARY_BYTES and (isinstance(content, str) or binary_kind(content) is None)


@cache
def shared_guard() -> Guard:
    """The guard of this process; it begins with the first content that needs it and ends with the program."""
    return Guard(modules=_MODULES)


@cache
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="parsing")
