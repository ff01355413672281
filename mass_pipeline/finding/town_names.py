"""Names of towns as tables of parishes write them: capitals, abbreviations, "k. Ełku", parts of cities glued on."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mass_pipeline.model.identifiers import fold

_NEAR: Final = re.compile(r"\s*(?:\bk\.|\bk/|\bkoło\b|\bn\.|\bn/|\bnad\b|\(|,|\*)\s*(?P<near>.*)$", re.IGNORECASE)
_FULL: Final = {
    "Wlkp": "Wielkopolski", "Maz": "Mazowiecki", "Śl": "Śląski", "Podl": "Podlaski", "Tryb": "Trybunalski", "Pom": "Pomorski",
}  # fmt: skip
_SHORT: Final = re.compile(rf"\b({'|'.join(_FULL)})\b\.?")
_OF_A_LAND: Final = re.compile(
    r"(?:sk|ck|zk)(?:i|a|ie)$|^(?:n|st)(?:owy|owa|owe|ary|ara|are)$|^(?:maly|mala|male|duzy|duza|duze|zdroj)$|^(?:gorn|doln|wielk|sredn|wyzn|nizn|nadoln|poduchown)\w{1,2}$"
)


@dataclass(frozen=True, slots=True)
class ParishRow:
    """A parish as a table lists it: town and voivodeship, and what else the table has ("" when it has not).

    `parish_id` and `town_key` are those of a public index: what is read can be looked up there.
    """

    town: str
    voivodeship: str
    name: str = ""
    address: str = ""
    deanery: str = ""
    parish_id: str = ""
    town_key: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """What comes after the name of a town.

    Attributes:
        is_marked: a hyphen or "os." sets it off.
        is_of_a_land: it begins like the second half of a town's own name (Kalisz Pomorski, but also Kraków Piaski Wielkie).
    """

    name: str
    is_marked: bool
    is_of_a_land: bool


@dataclass(frozen=True, slots=True)
class TableName:
    """A town's name: `base` in full and in ordinary capitals; `near` what the table adds to tell it from others."""

    base: str
    near: str

    def first(self, words: int) -> str:
        """The first words."""
        return self.base[: list(re.finditer(r"[^\W_]+", self.base))[words - 1].end()]

    def part_after(self, words: int) -> Part | None:
        """What follows the first words; None when that is nothing, or clearly the second half of the town's own name."""
        found = list(re.finditer(r"[^\W_]+", self.base))
        rest = self.base[found[words - 1].end() :]
        name = re.sub(r"^[\s\-–.]*(?:os(?:iedle)?\b\.?\s*)?", "", rest)
        is_marked = "-" in rest or "–" in rest or fold(rest).strip().startswith("os")
        is_of_a_land = bool(name) and _OF_A_LAND.search(fold(name).split()[0]) is not None
        if not name or (is_of_a_land and " " not in name):
            return None
        return Part(name, is_marked, is_of_a_land)


def in_ordinary_capitals(name: str) -> str:
    """A name in ordinary capitals when a table writes it in capitals alone, or without one.

    >>> in_ordinary_capitals("JASTRZĘBIE-ZDRÓJ"), in_ordinary_capitals("Kraków"), in_ordinary_capitals("łódź")
    ('Jastrzębie-Zdrój', 'Kraków', 'Łódź')
    """
    if not (name.isupper() or name[:1].islower()):
        return name
    return re.sub(r"[^\W_]+", lambda m: m[0].capitalize(), name)


def table_name(written: str) -> TableName:
    """The town's name without what a table adds; an empty name for words without a letter.

    >>> table_name("WAŁBRZYCH"), table_name("Świecie n. Wisłą"), table_name("Ostrów Wlkp.").base
    (TableName(base='Wałbrzych', near=''), TableName(base='Świecie', near='Wisłą'), 'Ostrów Wielkopolski')
    """
    text = " ".join(unicodedata.normalize("NFKC", written).split())
    if not any(c.isalnum() for c in text):
        return TableName("", "")
    near = _NEAR.search(text)
    base = text[: near.start()] if near and near.start() > 0 else text
    base = in_ordinary_capitals(base)
    base = _SHORT.sub(lambda found: _agreeing(base, _FULL[found[1]]), base)
    return TableName(base.strip(" .-"), (near["near"] if near and near.start() > 0 else "").strip(" )."))


def _agreeing(base: str, adjective: str) -> str:
    """The adjective in the gender of the name's first word."""
    first = base.split()[0]
    return adjective[:-1] + "a" if first.endswith("a") else adjective + "e" if first.endswith(("o", "e")) else adjective


def read_rows(path: Path) -> list[ParishRow]:
    """Rows of a table (CSV, TSV, Parquet) with the columns town and voivodeship, or Miejscowość and Województwo.

    Raises:
        BadInput: the file is missing, not UTF-8, or lacks these columns.
    """
    from mass_pipeline.gathering.tabular import table_records  # Parquet, which no page needs

    names = ("town", "voivodeship", "name", "address", "deanery")
    rows = table_records(path, ("town", "voivodeship"))
    return [ParishRow(**{name: row.get(name, "") for name in names}) for row in rows if row["town"]]
