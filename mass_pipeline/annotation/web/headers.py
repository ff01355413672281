"""Headers of every answer of the annotation app: nothing foreign, nothing framed, nothing indexed."""

from __future__ import annotations

from typing import Final

from mass_pipeline.web_common.guard import COMMON_HEADERS

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "object-src 'none'; frame-ancestors 'none'; form-action 'self'"
)
HEADERS: Final = {
    **COMMON_HEADERS,
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Robots-Tag": "noindex, nofollow",
}
