"""Tell an operator about grave errors: a program run without a shell, or a web hook. Never raises, never blocks for long (J4).

Not here: what is grave, and how often it may be told (crawler.watching).
"""

from __future__ import annotations

import json
import logging
import shlex
import subprocess
from collections.abc import Sequence
from typing import Final

from mass_pipeline.crawler.watching.records import GraveError, Notify
from mass_pipeline.model.errors import ConfigurationError

_SECONDS: Final = 20.0
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
        hooks.append(ProgramHook(_split(command)))
    if webhook:
        if not webhook.startswith(("http://", "https://")):
            raise ConfigurationError("MASS_PIPELINE_WATCH_NOTIFY_WEBHOOK: expected an http(s) URL.")
        hooks.append(WebHook(webhook))
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


class ProgramHook:
    """Starts a program for each error."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)

    def __call__(self, error: GraveError) -> None:
        """Run it and wait, at most twenty seconds."""
        try:
            done = subprocess.run(self._words, input=as_json(error), timeout=_SECONDS, capture_output=True, check=False)  # noqa: S603  # the operator's own program, no shell
            if done.returncode != 0:
                log.error("notify.command_failed program=%s code=%d", self._words[0], done.returncode)
        except (OSError, subprocess.SubprocessError) as failure:
            log.error("notify.command_failed program=%s error=%s", self._words[0], failure)


class WebHook:
    """Posts each error to a URL."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __call__(self, error: GraveError) -> None:
        """Post it."""
        if failure := post_json(self._url, as_json(error)):
            log.error("notify.webhook_failed %s", failure)


def post_json(url: str, content: bytes) -> str:
    """Post JSON to a web hook of the operator; redirects are not followed and the answer's body is not read.

    Returns:
        "" when it was taken, else why not, without the URL, which is often a secret.
    """
    import httpx  # settings of alerts are read by every command, and few of them send one

    try:
        headers = {"Content-Type": "application/json"}
        with httpx.stream("POST", url, content=content, headers=headers, timeout=_SECONDS, trust_env=False) as answer:
            return "" if answer.status_code < 300 else f"status={answer.status_code}"
    except (httpx.HTTPError, httpx.InvalidURL) as failure:
        return f"error={type(failure).__name__}"


def as_json(error: GraveError) -> bytes:
    """The message: at, kind, site_id, url, reason, more."""
    return json.dumps(
        {
            "at": error.at.isoformat(),
            "kind": error.kind,
            "site_id": error.site_id,
            "url": error.url,
            "reason": error.reason,
            "more": error.more,
        },
        ensure_ascii=False,
    ).encode()
