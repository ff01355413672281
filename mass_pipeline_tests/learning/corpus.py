"""Invented parish pages cut into labelled candidate hours: enough variety to train on in a test, and no real page.

Markers in a line: {m} a Mass of the standing schedule, {d} a dated Mass, {x} a Mass that does not take place, {n} any other
hour. Every parish writes with its own separator, order and words.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass

import pandas as pd

from mass_pipeline.model.columns import CANDIDATE_HOURS
from mass_pipeline.model.identifiers import content_id

LABEL = {"m": ("mass", False), "d": ("mass", True), "x": ("cancelled", False), "n": ("not_mass", None)}

SCHEDULE = [
    ["Porządek Mszy świętych", "Niedziele i święta: {m}, {m}, {m}", "Dni powszednie: {m}, {m}"],
    ["Msze święte", "Niedziela", "{m}", "{m}", "{m} (z udziałem dzieci)", "W tygodniu", "{m}"],
    ["MSZE ŚW.", "w niedziele: {m}, {m}, {m} (suma)", "w dni powszednie: {m} i {m}", "w soboty: {m}"],
    ["Nabożeństwa", "Niedziele: godz. {m}, godz. {m}", "Dni powszednie: godz. {m} (zimą), godz. {m} (latem)"],
    ["Godziny Mszy św.", "Niedziela | {m} | {m} | {m}", "Poniedziałek - sobota | {m}"],
    ["Msze św. w naszym kościele", "W niedziele o {m}, {m} oraz {m}. W dni powszednie o {m}, w pierwsze piątki także o {m}."],
    ["Eucharystia", "niedziela {m} / {m} / {m}", "pon. – pt. {m}", "sobota {m} Msza św. z niedzieli"],
    ["Kościół filialny", "niedziele i święta – Msza Święta o {m}", "w czwartki {m}"],
]
OTHER = [
    ["Kancelaria parafialna", "czynna: poniedziałek {n}-{n}, środa {n}–{n}", "tel. 61 123 45 67"],
    ["Biuro parafialne", "wtorek, czwartek od {n} do {n}", "w soboty {n} - {n}"],
    ["Spowiedź święta", "codziennie od {n}, w piątki {n}-{n}", "pół godziny przed każdą Mszą św."],
    ["Nabożeństwa okresowe", "Różaniec w październiku o {n}", "Droga Krzyżowa w piątki o {n}", "Gorzkie Żale w niedziele o {n}"],
    ["Adoracja Najświętszego Sakramentu", "w każdy czwartek od {n} do {n}"],
    ["Spotkania grup", "Ministranci: sobota {n}", "Schola - próba w piątek o {n} w salce", "Krąg biblijny, wtorek godz. {n}"],
    ["Kościół otwarty", "codziennie {n}-{n}"],
    ["Cmentarz parafialny", "otwarty od {n} do {n}, biuro cmentarza {n}-{n}"],
    ["Transmisje", "Msza św. w radiu: niedziela {n}", "TVP Jasna Góra, Apel o {n}"],
    ["Katecheza dla dorosłych w środy o {n}, nauki przedmałżeńskie o {n} w domu parafialnym"],
    ["Koronka do Miłosierdzia Bożego codziennie o {n}, nowenna w środy o {n}"],
]
NEWS = [
    ["Ogłoszenia duszpasterskie", "W czwartek, 14 maja, Msza św. za zmarłych o godz. {d}. Spowiedź od {n}."],
    ["Intencje mszalne", "Poniedziałek 12.05.2025", "{d} + Jan i Anna z rodzicami", "{d} o zdrowie dla Marii"],
    ["Ogłoszenia", "Dziś o {n} spotkanie rady. We wtorek nie będzie Mszy św. o {x}. Jutro Msza św. o {d} w kaplicy."],
    ["Odpust parafialny", "8 grudnia suma odpustowa o {d}, procesja o {n}", "Msze św. o {d} i {d}"],
    ["Pasterka 24 grudnia o {d}, w kaplicy o {d}. Kolęda od {n}."],
    ["Z powodu rekolekcji Msza św. o godz. {x} w środę zostaje odwołana; Eucharystia 3 marca o {d}."],
    ["Pielgrzymka wyruszy 15 sierpnia o {n}, zbiórka o {n}, powrót około {n}."],
    ["Koncert chóru odbył się 6 stycznia o {n}. Zapraszamy na festyn o {n}."],
]
HOURS = {
    "m": "6:30 7:00 7:30 8:00 9:00 9:30 10:00 11:00 11:30 12:00 12:30 17:00 18:00 18:30",
    "n": "8:00 9:00 10:00 12:00 15:00 15:30 16:00 16:30 17:00 17:15 17:30 18:30 19:00 20:00",
    "d": "7:00 8:00 9:00 11:00 12:00 16:00 17:00 18:00 18:30 0:00",
    "x": "7:00 8:00 11:00 18:00",
}
NAMES = ["Zielona", "Kasztanowa", "Krucza", "Długa", "Cicha", "Polna", "Lipowa", "Szkolna"]


@dataclass(frozen=True)
class Corpus:
    """Candidate hours and the truth about each (columns of annotated_set without split and weight)."""

    candidates: pd.DataFrame
    truth: pd.DataFrame

    @property
    def crowd(self) -> pd.DataFrame:
        """The truth as a crowd of three would have labelled it."""
        return self.truth.assign(weight=0.97, n_votes=3)[["candidate_id", "label", "dated", "weight", "n_votes"]]


def corpus(parishes: int, seed: int) -> Corpus:
    """Pages of so many parishes."""
    chance = random.Random(seed)
    rows: list[dict[str, object]] = []
    for number in range(parishes):
        parish = f"parish-{seed}-{number:05d}"
        street = f"{chance.choice(NAMES)}-{number}"
        style = chance.choice([":", ":", ".", "."])
        masses = [["Parafia św. Marcina, ul. " + street], *chance.sample(SCHEDULE, 1), *chance.sample(OTHER, 3)]
        rows += _page(parish, "msze", masses, style, chance, 0.8)
        news = [["Aktualności " + street], *chance.sample(NEWS, 3), *chance.sample(OTHER, 1)]
        rows += _page(parish, "ogloszenia", news, style, chance, 0.1)
    frame = pd.DataFrame(rows).drop_duplicates("candidate_id").sort_values("candidate_id", ignore_index=True)
    truth = frame[["candidate_id", "parish_id"]].copy()
    truth["label"] = [LABEL[k][0] for k in frame["kind"]]
    truth["dated"] = pd.array([LABEL[k][1] for k in frame["kind"]], dtype="boolean")
    candidates = frame[CANDIDATE_HOURS.names].astype({"page_score": "float32", "list_index": "int16", "rule_reading": "object"})
    return Corpus(candidates, truth)


def _page(
    parish: str, name: str, groups: list[list[str]], style: str, chance: random.Random, score: float
) -> list[dict[str, object]]:
    text, spans, headings = "", [], []
    for group in groups:
        for line in group:
            for piece in re.split(r"(\{[mdxn]\})", line):
                if re.fullmatch(r"\{[mdxn]\}", piece):
                    time = chance.choice(HOURS[piece[1]].split())
                    written = time.replace(":", style)
                    spans.append((len(text), len(text) + len(written), piece[1], time))
                    headings.append(group[0])
                    text += written
                else:
                    text += piece
            text += "\n"
    return [
        _row(parish, name, text, span, heading, index, score)
        for index, (span, heading) in enumerate(zip(spans, headings, strict=True))
    ]


def _row(
    parish: str, name: str, text: str, span: tuple[int, int, str, str], heading: str, index: int, score: float
) -> dict[str, object]:
    start, end, kind, time = span
    left = " ".join(text[:start].split(" ")[-40:])
    right = " ".join(text[end:].split(" ")[:25])
    line = text[text.rfind("\n", 0, start) + 1 : start]
    clock = f"{int(time.split(':')[0]):02d}:{time.split(':')[1]}"
    reading = json.dumps({"days": ["Su"], "time": clock}) if kind == "m" and index % 2 == 0 else None
    return {
        "candidate_id": content_id(parish, name, left, right, str(index)),
        "parish_id": parish,
        "url": f"http://{parish}.example/{name}",
        "time": clock,
        "raw": text[start:end],
        "left": left,
        "right": right,
        "heading": None if "{" in heading else heading,
        "day_scope": None,
        "block": "text/main",
        "list_index": len(re.findall(r"\d[:.]\d\d", line)),
        "page_score": score,
        "rule_reading": reading,
        "kind": kind,
    }
