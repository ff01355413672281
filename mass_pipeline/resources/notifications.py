"""Tell an operator about grave errors: a program run without a shell, or a web hook. Never raises, never blocks for long (J4).

Not here: what is grave, and how often it may be reported (crawling.watching).
"""

from __future__ import annotations

import json
import logging
import shlex
import subprocess
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Final

from mass_pipeline.crawling.fetching.config import CrawlConfig
from mass_pipeline.crawling.watching.records import GraveError, Notify
from mass_pipeline.model.errors import ConfigurationError

_SECONDS: Final = 20.0
_MANNERS: Final = CrawlConfig(
    allow_private_hosts=True,  # the operator's own machine, as often as not
    allow_unverified_tls=False,
    never_crawl=(),
    connect_seconds=_SECONDS,
    idle_seconds=_SECONDS,
    total_seconds=_SECONDS,
)
log = logging.getLogger(__name__)


def notify_of(command: str, webhook: str) -> Notify | None:
    """The hooks of the settings together; None when none is set.

    Args:
        command: program and arguments as in a shell line, but run without one; the error comes as JSON on its standard input.
        webhook: http(s) URL that gets the JSON by POST.

    Raises:
        ConfigurationError: a command that cannot be split, or a webhook that is no http(s) URL.
    """
    hooks: list[Notify] = []
    if command:
        hooks.append(partial(run_program, _split(command)))
    if webhook:
        if not webhook.startswith(("http://", "https://")):
            raise ConfigurationError("MASS_PIPELINE_WATCH_NOTIFY_WEBHOOK: expected an http(s) URL.")
        hooks.append(partial(post_error, webhook))
    if not hooks:
        return None

    def tell(error: GraveError) -> None:
        for hook in hooks:
            hook(error)

    return tell


def _split(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ConfigurationError(f"MASS_PIPELINE_WATCH_NOTIFY_COMMAND={command!r}: {error}.") from error
    if not words:
        raise ConfigurationError("MASS_PIPELINE_WATCH_NOTIFY_COMMAND holds no program.")
    return words


def run_program(words: Sequence[str], error: GraveError) -> None:
    """Start a program for an error and wait, at most twenty seconds."""
    try:
        done = subprocess.run(list(words), input=as_json(error), timeout=_SECONDS, capture_output=True, check=False)  # noqa: S603  # the operator's own program, no shell
        if done.returncode != 0:
            log.error("notify.command_failed program=%s code=%d", words[0], done.returncode)
    except (OSError, subprocess.SubprocessError) as failure:
        log.error("notify.command_failed program=%s error=%s", words[0], failure)


def post_error(url: str, error: GraveError) -> None:
    """Post an error to a web hook."""
    if failure := post_json(url, as_json(error)):
        log.error("notify.webhook_failed %s", failure)


def post_json(url: str, content: bytes) -> str:
    """Post JSON to a web hook of the operator; redirects are not followed and the answer's body is not read.

    Returns:
        "" when it was taken, else why not, without the URL, which is often a secret.
    """
    import httpx  # settings of alerts are read by every command, and few of them send one

    from mass_pipeline.crawling.fetching.http_client import RateLimitedClient

    try:
        with RateLimitedClient(_MANNERS, service=True) as client:
            answer = client.post(url, content=content, headers={"Content-Type": "application/json"})
            return "" if answer.status_code < 300 else f"status={answer.status_code}"
    except (httpx.HTTPError, httpx.InvalidURL) as failure:
        return f"error={type(failure).__name__}"


def as_json(error: GraveError) -> bytes:
    """The message: at, kind, site_id, url, reason, more."""
    return json.dumps({**asdict(error), "at": error.at.isoformat()}, ensure_ascii=False).encode()
