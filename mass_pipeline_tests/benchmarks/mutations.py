"""How often changes of a page that leave its schedule as it is change the reading, over the sites written for this project.

    make bench NAME=mutations

Prints for every mutation the sites it was tried on (those it changes at all) and the sites whose reading it changes.
"""

from __future__ import annotations

from mass_pipeline_tests.evaluation.mutations import MUTATIONS, changes, mutated, sites

_SEED = 1


def main() -> None:
    """Print one line per mutation, then the sum."""
    tried = changed = 0
    for name in MUTATIONS:
        concerned = [site for site in sites() if mutated(site.pages, (name,), _SEED) != site.pages]
        found = [site.id for site in concerned if changes(site, name, _SEED)]
        tried, changed = tried + len(concerned), changed + len(found)
        print(f"{name:32}{len(found):4} of {len(concerned):4}  {' '.join(found)}")
    print(f"{'all':32}{changed:4} of {tried:4}  readings stay the same in {1 - changed / tried:.4f}")


if __name__ == "__main__":
    main()
