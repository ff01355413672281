"""Promises of `public_index`: what is served is the newest generation, whole."""

from __future__ import annotations

from mass_pipeline.finding.index.generations import Generations, require_whole
from mass_pipeline.model.errors import StorageError
from mass_pipeline.publishing.promises.verdict import Verdict


def validate_in_force(generations: Generations) -> Verdict:
    """The generation in force is whole, and no newer one was refused at the gate."""
    whole = generations.all()
    try:
        present = generations.current()
        if present is None:
            return Verdict(False, "No generation is in force: " + _refused(whole[-1].manifest() if whole else {}))
        require_whole(present)
    except StorageError as error:
        return Verdict(False, str(error), {"generations": len(whole)})
    newest = whole[-1]
    if newest.name > present.name and newest.manifest().get("objections"):
        return Verdict(False, f"{newest.name} was not put in force: {_refused(newest.manifest())}", {"generations": len(whole)})
    return Verdict(True, f"{present.name} is in force.", {"generations": len(whole)})


def _refused(manifest: dict[str, object]) -> str:
    objections = manifest.get("objections") or ["materialize public_index"]
    assert isinstance(objections, list)
    return "; ".join(map(str, objections)) + "."
