"""Pictures as grey PNG for tesseract: only known formats, measured before they are unpacked."""

from __future__ import annotations

import io
from typing import Final

from mass_pipeline.guard import BROKEN_FILE
from mass_pipeline.reading.ocr.tesseract import PictureUnreadable

_FORMATS: Final = ("PNG", "JPEG", "GIF", "BMP", "WEBP")
MOST_BYTES: Final = 15 * 2**20  # of a file
MOST_PIXELS: Final = 25_000_000  # a poster of A3 at 300 dpi has 17 million
_WIDTH_WANTED: Final = 1200  # pixels; letters of posters for the web are too small for tesseract
_LARGEST_SCALE: Final = 2
_MOST_PAGES: Final = 3  # of a scanned PDF
_BROKEN: Final = (*BROKEN_FILE, SyntaxError, MemoryError)


def as_png(content: bytes, *, without_speckles: bool = False) -> bytes:
    """A picture in grey, enlarged when it is small.

    Args:
        content: the file as received.
        without_speckles: single dark and light points are taken out, and with them the finest strokes.

    Raises:
        PictureUnreadable: another format, too large, or broken.
    """
    from PIL import Image, ImageFilter

    if len(content) > MOST_BYTES:
        raise PictureUnreadable(f"the picture has {len(content)} bytes, more than {MOST_BYTES}")
    try:
        picture = Image.open(io.BytesIO(content), formats=_FORMATS)
        if picture.width * picture.height > MOST_PIXELS:
            raise PictureUnreadable(f"the picture has {picture.width} x {picture.height} pixels, more than {MOST_PIXELS}")
        grey = picture.convert("RGBA") if "transparency" in picture.info or picture.mode in ("RGBA", "LA") else picture
        if grey.mode == "RGBA":  # what is not painted is white, as on a page
            grey = Image.alpha_composite(Image.new("RGBA", grey.size, "white"), grey)
        grey = grey.convert("L")
        if without_speckles:
            grey = grey.filter(ImageFilter.MedianFilter(3))
        scale = min(_LARGEST_SCALE, _WIDTH_WANTED / max(1, grey.width), (MOST_PIXELS / max(1, grey.width * grey.height)) ** 0.5)
        if scale > 1:
            grey = grey.resize((round(grey.width * scale), round(grey.height * scale)), Image.Resampling.LANCZOS)
        written = io.BytesIO()
        grey.save(written, "PNG", compress_level=1)
    except (Image.DecompressionBombError, *_BROKEN) as error:
        raise PictureUnreadable(f"the picture cannot be decoded: {type(error).__name__}") from error
    return written.getvalue()


def pictures_of_pdf(content: bytes) -> list[bytes]:
    """The largest picture of each of the first pages of a scan.

    Raises:
        PictureUnreadable: the file is too large or broken.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    if len(content) > MOST_BYTES:
        raise PictureUnreadable(f"the file has {len(content)} bytes, more than {MOST_BYTES}")
    found: list[bytes] = []
    try:
        for page in PdfReader(io.BytesIO(content)).pages[:_MOST_PAGES]:
            pictures = [page.images[name] for name in page.images.keys()[:_MOST_PAGES]]
            largest = max((one.data for one in pictures), key=len, default=None)
            if largest is not None:
                found.append(largest)
    except (PyPdfError, *_BROKEN) as error:
        raise PictureUnreadable(f"the file cannot be opened: {type(error).__name__}") from error
    return found
