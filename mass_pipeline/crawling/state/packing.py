"""Compress pages for the state file: zstd with a dictionary of pages met first. No SQL here.

Pages of parish sites resemble one another; a few whole start pages as a raw dictionary save a third at no cost of training
(docs/crawler.md has the measurement).
"""

from __future__ import annotations

import hashlib
from typing import Final

import zstandard

from mass_pipeline.model.errors import BadInput

_PAGES: Final = 5
_PAGE_BYTES: Final = 32_768
_PATIENCE: Final = 40  # a crawl of fewer than five sites takes what it has
_MOST_BYTES: Final = 1 << 28  # far beyond any page that is kept; a damaged head may claim any size


class DamagedBody(BadInput):
    """What is stored of a page is not what was stored once."""


class PagePacker:
    """Compresses bodies.

    Args:
        level: zstd level.
        dictionary: `(id, content)` of an earlier run, None to make one.

    Attributes:
        fresh: `(id, content)` of a dictionary made in this run that must be stored with the pages, else None.
    """

    def __init__(self, level: int, dictionary: tuple[int, bytes] | None) -> None:
        self._level = level
        self._samples: dict[int, bytes] = {}
        self._seen = 0
        self._id: int | None = None
        self._compressor = zstandard.ZstdCompressor(level=level)
        self.fresh: tuple[int, bytes] | None = None
        if dictionary is not None:
            self._use(*dictionary)

    def pack(self, body: bytes, site_id: int) -> tuple[bytes, int | None]:
        """`(compressed, dictionary id)`; the id is None for a page compressed without one."""
        if self._id is None:
            self._learn(body, site_id)
        # a copy: the compressor's own result keeps hold of as much memory as the page might have needed at worst
        return bytes(memoryview(self._compressor.compress(body))), self._id

    def _learn(self, body: bytes, site_id: int) -> None:
        self._seen += 1
        self._samples.setdefault(site_id, body[:_PAGE_BYTES])
        if len(self._samples) >= _PAGES or self._seen >= _PATIENCE:
            content = b"".join(self._samples.values())
            self._samples.clear()
            if len(content) >= 1024:
                self.fresh = (1, content)
                self._use(1, content)

    def _use(self, dictionary_id: int, content: bytes) -> None:
        self._id = dictionary_id
        data = zstandard.ZstdCompressionDict(content, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
        self._compressor = zstandard.ZstdCompressor(level=self._level, dict_data=data)


class PageUnpacker:
    """Decompresses what `PagePacker` made.

    Args:
        dictionaries: id -> content.
    """

    def __init__(self, dictionaries: dict[int, bytes]) -> None:
        self._plain = zstandard.ZstdDecompressor()
        self._with = {
            number: zstandard.ZstdDecompressor(
                dict_data=zstandard.ZstdCompressionDict(content, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
            )
            for number, content in dictionaries.items()
        }

    def unpack(self, packed: bytes, dictionary_id: int | None, sha256: bytes | None = None) -> bytes:
        """The body.

        Args:
            packed, dictionary_id: as `PagePacker.pack` gave them.
            sha256: digest the body must have; None where nobody wrote one down.

        Raises:
            DamagedBody: it cannot be decompressed, or is not the one that was stored.
        """
        machine = self._plain if dictionary_id is None else self._with.get(dictionary_id)
        try:
            if machine is None or zstandard.frame_content_size(packed) > _MOST_BYTES:
                raise DamagedBody("the stored body names a dictionary or a size there is not")
            body = machine.decompress(packed)
        except (zstandard.ZstdError, TypeError, ValueError) as error:
            raise DamagedBody(f"the stored body cannot be decompressed ({error})") from error
        if sha256 is not None and hashlib.sha256(body).digest() != sha256:
            raise DamagedBody("the SHA-256 of the stored body is another one")
        return body
