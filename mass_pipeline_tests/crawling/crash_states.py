"""Disks that lose power or fail, over strace: every state that a recorded process may leave, and calls that end in an error.

A file system may keep any part of what was not synced, in any order: each unsynced write is dropped, whole, or torn at sectors
of 512 bytes or pages of 4 KiB; names (made, renamed, removed) are only sure once their folder was synced. The record comes
from strace. After the ALICE study (Pillai et al., OSDI 2014) and LazyFS.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_CALLS: Final = "openat,write,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat,mkdir"
_FAILING: Final = ("pwrite64", "write", "fdatasync", "fsync", "ftruncate", "rename", "fallocate")
_LINE: Final = re.compile(r"(\w+)\((.*)\)\s+= (-?\d+)(?:<([^>]*)>)?")
_STRING: Final = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_HANDLE: Final = re.compile(r"(\d+)<([^>]*)>")
_SECTORS: Final = (512, 4096)


@dataclass(frozen=True, slots=True)
class Call:
    """One system call that changes the disk.

    Attributes:
        name: `make`, `write`, `sync`, `truncate`, `rename` or `remove`.
        at: offset of a write, -1 for the end; length of a truncation.
    """

    name: str
    path: str
    data: bytes = b""
    at: int = -1
    other: str = ""


def record(command: Sequence[str], folder: Path, log: Path) -> list[Call]:
    """Run a process and note what it does below a folder, in order."""
    strace = ["strace", "-qq", "-y", "-xx", "-s", "100000000", "--seccomp-bpf", "-f", "-e", f"trace={_CALLS}", "-o", str(log)]
    subprocess.run([*strace, *command], check=True, capture_output=True)
    with log.open() as lines:
        calls = [call for line in lines if (call := _read(line)) is not None]
    return [call for call in calls if call.path.startswith(str(folder))]


def random_faults(command: Sequence[str], log: Path, chance: random.Random) -> Iterator[tuple[str, list[str]]]:
    """Faults without end of a process, each kind of call as often as any other: what fails, and the command to put before it."""
    strace = ["strace", "-f", "--seccomp-bpf", "-qq"]
    traced = [*strace, "-e", f"trace={','.join(_FAILING)}", "-o", str(log)]
    subprocess.run([*traced, *command], check=True, capture_output=True)
    counts = Counter(line.split()[1].partition("(")[0] for line in log.read_text().splitlines() if "(" in line)
    names = [name for name in _FAILING if counts[name]]
    while True:
        name = chance.choice(names)
        fault = f"{name}:error={chance.choice(('ENOSPC', 'ENOSPC', 'EIO'))}:when={chance.randint(1, counts[name])}"
        yield fault, [*strace, "-e", f"trace={name}", "-e", f"inject={fault}", "-o", "/dev/null"]


def _read(line: str) -> Call | None:
    match = _LINE.search(line)
    if match is None or int(match[3]) < 0:
        return None
    name, arguments = match[1], match[2]
    strings = [_bytes(text) for text in _STRING.findall(arguments)]
    if name == "openat":
        makes = "O_CREAT" in arguments
        path = _bytes(match[4] or "").decode()
        return Call("make", path, at=0 if "O_TRUNC" in arguments else -1) if makes else None
    if name in ("write", "pwrite64", "fsync", "fdatasync", "ftruncate"):
        handle = _HANDLE.match(arguments)
        path = _bytes(handle[2]).decode(errors="replace") if handle else ""
        if name in ("fsync", "fdatasync"):
            return Call("sync", path)
        last = int(arguments.rsplit(",", 1)[1])
        if name == "ftruncate":
            return Call("truncate", path, at=last)
        return Call("write", path, strings[0][: int(match[3])], last if name == "pwrite64" else -1)
    if name == "mkdir":
        return None  # folders are taken to be there
    paths = [text.decode() for text in strings]
    return Call("rename", paths[0], other=paths[1]) if name.startswith("rename") else Call("remove", paths[0])


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


@dataclass(slots=True)
class _File:
    """A file: what is on the disk for certain, and what was written since."""

    sure: bytes = b""
    pending: list[Call] = field(default_factory=list)
    length: int = 0  # as the process sees it


class Disk:
    """Plays calls; gives the states a power cut may leave."""

    def __init__(self) -> None:
        self._names: dict[str, _File] = {}
        self._sure_names: dict[str, _File] = {}
        self._pending_names: list[tuple[str, _File | None]] = []

    def play(self, call: Call) -> None:
        """One more call was made."""
        if call.name == "make":
            if call.path not in self._names:
                self._name(call.path, _File())
            elif call.at == 0:
                self._change(Call("truncate", call.path, at=0))
        elif call.name in ("write", "truncate"):
            self._change(call)
        elif call.name == "sync":
            self._sync(call.path)
        elif call.name == "rename":
            self._name(call.other, self._names[call.path])
            self._name(call.path, None)
        elif call.name == "remove":
            self._name(call.path, None)

    def as_seen(self) -> dict[str, bytes]:
        """Path -> content as the processes see it."""
        return {path: _settle(file, "all", random.Random(0)) for path, file in self._names.items()}

    def after_power_cut(self, chance: random.Random) -> dict[str, bytes]:
        """Path -> content of one state that may be left."""
        names = dict(self._sure_names)
        kept = chance.choice((0, len(self._pending_names), chance.randint(0, len(self._pending_names))))
        for path, file in self._pending_names[:kept]:  # journals keep names in order
            _set(names, path, file)
        how = chance.choice(("none", "all", "some", "some", "torn", "torn"))
        return {path: _settle(file, how, chance) for path, file in names.items()}

    def _name(self, path: str, file: _File | None) -> None:
        _set(self._names, path, file)
        self._pending_names.append((path, file))

    def _change(self, call: Call) -> None:
        file = self._names.setdefault(call.path, _File())
        at = file.length if call.name == "write" and call.at < 0 else call.at
        file.pending.append(Call(call.name, call.path, call.data, at))
        file.length = max(file.length, at + len(call.data)) if call.name == "write" else at

    def _sync(self, path: str) -> None:
        file = self._names.get(path)
        if file is not None:
            file.sure = _settle(file, "all", random.Random(0))
            file.pending.clear()
            return
        rest = []
        for name, content in self._pending_names:  # a folder
            if name.rpartition("/")[0] == path:
                _set(self._sure_names, name, content)
            else:
                rest.append((name, content))
        self._pending_names = rest


def _set(names: dict[str, _File], path: str, file: _File | None) -> None:
    if file is None:
        names.pop(path, None)
    else:
        names[path] = file


def _settle(file: _File, how: str, chance: random.Random) -> bytes:
    content = bytearray(file.sure)
    for call in file.pending:
        if how == "none" or (how != "all" and chance.random() < 0.4):
            continue
        if call.name == "truncate":
            del content[call.at :]
            content.extend(bytes(max(call.at - len(content), 0)))
            continue
        for start, piece in _pieces(call, how, chance):
            content.extend(bytes(max(start - len(content), 0)))
            content[start : start + len(piece)] = piece
    return bytes(content)


def _pieces(call: Call, how: str, chance: random.Random) -> Iterator[tuple[int, bytes]]:
    """The parts of a write that reached the disk."""
    if how != "torn":
        yield call.at, call.data
        return
    sector = chance.choice(_SECTORS)
    end = call.at + len(call.data)
    start = call.at
    while start < end:
        stop = min((start // sector + 1) * sector, end)
        if chance.random() < 0.7:
            yield start, call.data[start - call.at : stop - call.at]
        start = stop


def put_back(state: dict[str, bytes], old: Path, new: Path) -> None:
    """Make a state on the real disk, with another folder in place of the recorded one."""
    for path, content in state.items():
        target = new / Path(path).relative_to(old)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
