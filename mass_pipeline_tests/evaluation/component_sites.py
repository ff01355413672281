"""Sites in component code and data with their labels, and the score of the reader on them.

python -m mass_pipeline_tests.evaluation.component_sites [first|last|together|strangers] [--show]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

from mass_pipeline.extraction.reader import read_document
from mass_pipeline.extraction.site_code import pages_of_site
from mass_pipeline.model.records import SiteSchedule
from mass_pipeline.schedule_grammar.judging.reading import read_page
from mass_pipeline.site_reading.belonging.sites import judge_site
from mass_pipeline_tests.evaluation.reading import EVALUATION_DAY
from mass_pipeline_tests.evaluation.scoring import VIEWS, Score, compare
from mass_pipeline_tests.evaluation.written import written_masses

FOLDER: Final = Path(__file__).with_name("components")
PARTS: Final = ("first", "last", "together")
STRANGERS: Final = "strangers"  # by somebody who did not know the reader; not all is read


def component_sites(part: str) -> list[tuple[str, list[tuple[str, str]], list[dict[str, Any]]]]:
    """Name, pages (file name, content) and Masses of every site of a part (`PARTS`)."""
    sites = []
    for chunk in (FOLDER / f"{part}.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        name, _, rest = chunk.partition("\n")
        body, _, label = rest.partition("\n--masses\n")
        pages = [(page.partition("\n")[0], page.partition("\n")[2]) for page in body.split("@@ ")[1:]]
        lines = [line for line in label.splitlines() if line.strip() and line.strip() != "none"]
        sites.append((name.strip(), pages, [mass for line in lines for mass in written_masses(line)]))
    return sites


def read_component_site(pages: list[tuple[str, str]]) -> SiteSchedule:
    """The schedule of a site whose pages are given as texts."""
    site = pages_of_site([(name, content.encode()) for name, content in pages])
    readings = [read_page(read_document(one.content, content_type=one.content_type, url=one.name)) for one in site]
    return judge_site(readings, EVALUATION_DAY).schedule


def main(arguments: list[str]) -> None:
    """Print the scores."""
    scores = {view: Score() for view in VIEWS}
    for part in [one for one in arguments if one in (*PARTS, STRANGERS)] or ["first"]:
        for name, pages, masses in component_sites(part):
            schedule = read_component_site(pages)
            for view in VIEWS:
                difference = compare(masses, [read.mass.as_dict() for read in schedule.masses], view)
                scores[view].add(difference)
                if "--show" in arguments and (difference.extras or difference.misses):
                    print(
                        name,
                        view,
                        schedule.status,
                        "extra",
                        sorted(difference.extras, key=str),
                        "missed",
                        sorted(difference.misses, key=str),
                    )
    for view, score in scores.items():
        shares = f"P {score.precision:.3f} R {score.recall:.3f} F1 {score.f1:.3f}"
        print(f"{view:6} {shares} perfect {score.perfect_share:.2f} of {score.records}")


if __name__ == "__main__":
    main(sys.argv[1:])
