"""What a piece of work answers, on its way from one process to another.

pickle makes an object without its arguments and sets its fields one by one. A class that mypyc has compiled cannot be made so,
and a frozen dataclass refuses it (with `slots=True` Python gives it methods for it): they are made anew with their arguments.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from types import MethodDescriptorType
from typing import Any, Final

_params: Final = attrgetter("__dataclass_params__")


def packed(answer: object) -> bytes:
    """The answer for `pickle.loads`; its dataclasses may be compiled ones."""
    written = io.BytesIO()
    _Pickler(written, pickle.HIGHEST_PROTOCOL).dump(answer)
    return written.getvalue()


class _Pickler(pickle.Pickler):
    def reducer_override(self, obj: object) -> Any:
        """For objects of other classes than the built-in ones; NotImplemented: as pickle would."""
        kind: type = type(obj)
        names = _fields(kind)
        return (_made_anew, (kind, *(getattr(obj, name) for name in names))) if names else NotImplemented


@cache
def _fields(kind: type) -> tuple[str, ...]:
    """Arguments of a dataclass that pickle cannot make again; () for all other classes."""
    if not is_dataclass(kind) or kind.__dictoffset__ or kind.__reduce__ is not object.__reduce__:
        return ()
    set_state = getattr(kind, "__setstate__", None)
    is_compiled = isinstance(set_state, MethodDescriptorType)
    is_sealed = set_state is None and _params(kind).frozen
    return tuple(one.name for one in fields(kind)) if is_compiled or is_sealed else ()


def _made_anew(kind: type, *values: object) -> object:
    make: Callable[..., object] = kind
    return make(**dict(zip(_fields(kind), values, strict=True)))
