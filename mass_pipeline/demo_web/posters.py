"""Schedules as a poster: the image and the PDF that some demo sites offer instead of text.

The bundled files of data/demo/files were made with `python -m mass_pipeline.demo_web.posters`; making them again gives
the same words (bytes may differ between versions of matplotlib, so nothing depends on them).
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mass_pipeline.demo_web.source import DEMO_FOLDER

PDF_LINES: Final = (
    "PARAFIA ŚW. ANDRZEJA APOSTOŁA",
    "Porządek Mszy świętych",
    "Niedziele i święta: 8.00, 10.00, 12.00, 18.00",
    "Dni powszednie: 7.30, 18.00",
    "Kancelaria parafialna: wtorek i piątek 16.30 - 17.30",
)
IMAGE_LINES: Final = ("MSZE ŚWIĘTE", "Niedziele: 8.15, 10.15, 12.15", "Dni powszednie: 17.15")


def draw_poster(lines: Sequence[str], kind: str) -> bytes:
    """A page with the lines below each other.

    Args:
        lines: texts, top to bottom.
        kind: "pdf" (fonts embedded, text extractable) or "png".
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"pdf.fonttype": 42, "font.family": "DejaVu Sans"}):
        figure = Figure(figsize=(5.8, 4.1), dpi=80)
        for number, line in enumerate(lines):
            figure.text(0.06, 0.88 - 0.14 * number, line, fontsize=15 if number == 0 else 11)
        out = io.BytesIO()
        figure.savefig(out, format=kind, metadata={"CreationDate": None} if kind == "pdf" else {})
    return out.getvalue()


def write_posters(folder: Path) -> None:
    """Write the bundled poster files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "porzadek-mszy.pdf").write_bytes(draw_poster(PDF_LINES, "pdf"))
    (folder / "plakat-msze.png").write_bytes(draw_poster(IMAGE_LINES, "png"))


if __name__ == "__main__":
    write_posters(DEMO_FOLDER / "files")
