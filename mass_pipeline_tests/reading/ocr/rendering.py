"""Pictures of schedules, painted for tests and the benchmark: fonts, noise, rotation. Nothing is fetched."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFilter, ImageFont

_FOLDERS: Final = (Path("/usr/share/fonts/truetype"), Path("/usr/share/fonts/opentype"))
_FONT: Final = "DejaVuSans.ttf"
_MARGIN: Final = 40


def fonts() -> list[Path]:
    """Fonts with Polish letters that are installed, by name; empty when there is none."""
    found = sorted({path.name: path for folder in _FOLDERS if folder.exists() for path in folder.rglob("*.[to]tf")}.items())
    families = ("DejaVuSans", "DejaVuSerif", "LiberationSans", "LiberationSerif", "LiberationMono", "DejaVuSansMono")
    return [path for name, path in found if name.startswith(families) and "Math" not in name and "Oblique" not in name]


def picture_of(
    text: str, *, font: Path | None = None, size: int = 28, noise: float = 0.0, degrees: float = 0.0, seed: int = 0
) -> bytes:
    """A PNG of some lines.

    Args:
        font: a file of `fonts()`; DejaVu Sans when None.
        size: of the letters, in pixels.
        noise: share of pixels that are speckled, and blur of ten times as many pixels.
        degrees: by which it is turned.
    """
    letters = ImageFont.truetype(str(font or next(path for path in fonts() if path.name == _FONT)), size)
    lines = text.splitlines()
    width = int(max(letters.getlength(line) for line in lines)) + 2 * _MARGIN
    picture = Image.new("L", (width, int(len(lines) * size * 1.7) + 2 * _MARGIN), 250)
    draw = ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        draw.text((_MARGIN, _MARGIN + number * size * 1.7), line, font=letters, fill=20)
    if degrees:
        picture = picture.rotate(degrees, expand=True, fillcolor=250, resample=Image.Resampling.BICUBIC)
    if noise:
        picture = picture.filter(ImageFilter.GaussianBlur(noise * 10))
        chance = random.Random(seed)
        pixels = picture.load()
        assert pixels is not None
        for _ in range(int(noise * picture.width * picture.height)):
            pixels[chance.randrange(picture.width), chance.randrange(picture.height)] = chance.randrange(256)
    written = io.BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()
