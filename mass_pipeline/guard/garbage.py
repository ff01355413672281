"""Search for garbage less often while a page is read, and as often as before afterwards.

Reading a page makes and leaves thousands of small objects, hardly any of them in circles; a search after every 700 of them finds
nothing and takes a twentieth of the time (docs/reading.md, "Speed"). Not here: when what a page takes is too much (limits).
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# Of 830 pages 16 searches are left of 470 and none of three through the whole heap; a hundred bytes each, it is a megabyte.
_OBJECTS: Final = 10_000


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Raise the number of new objects after which garbage is sought; within another such block nothing changes.

    A process that seeks it even less often, or not at all, is left as it is. Threads may overlap: whoever raised the number
    puts it back.
    """
    young, *older = gc.get_threshold()
    if not 0 < young < _OBJECTS:
        yield
        return
    gc.set_threshold(_OBJECTS, *older)
    try:
        yield
    finally:
        gc.set_threshold(young, *older)
