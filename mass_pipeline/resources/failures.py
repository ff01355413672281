"""How an error of the project reaches Dagster: one failure whose description is the error's clear line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from mass_pipeline.model.errors import MassPipelineError


@contextmanager
def clear_failures() -> Iterator[None]:
    """Turn errors of the project into failures; only those that may pass are tried again.

    Raises:
        Failure: what the UI and the log show names the thing and the remedy; the error itself is its cause.
    """
    try:
        yield
    except MassPipelineError as error:
        raise dg.Failure(description=str(error), allow_retries=error.may_pass) from error
