"""Release notes from CHANGELOG.md: `make release VERSION=0.2.0` dates what is unreleased, `make notes VERSION=0.2.0` prints it.

The version itself is that of the git tag (setuptools-scm); docs/architecture.md, "Releases", has the steps.
"""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime

from mass_pipeline_tests.shared import ROOT

CHANGELOG = ROOT / "CHANGELOG.md"
PYPROJECT = ROOT / "pyproject.toml"  # the version of sources without git
PINNED = [
    path for path in sorted((ROOT / "deploy").rglob("*")) if path.suffix in (".yaml", "") and path.is_file()
]  # name the image
UNRELEASED = "Unreleased"


def notes(changelog: str, version: str) -> str:
    """The part below the heading of a version, without the heading.

    Raises:
        ValueError: there is no such version, or nothing stands there.

    >>> notes("# Changelog\\n## Unreleased\\n- new\\n## 0.1.0 - 2026-11-20\\n- first\\n", "0.1.0")
    '- first'
    """
    for heading, body in re.findall(r"^## (.*)\n((?:(?!## ).*\n?)*)", changelog, re.MULTILINE):
        if heading.split(" - ")[0] == version:
            if not body.strip():
                raise ValueError(f"CHANGELOG.md says nothing of {version}: write down there what users notice.")
            return str(body).strip()
    raise ValueError(f"CHANGELOG.md has no version {version!r}: make release VERSION={version} makes it of what is unreleased.")


def cut(changelog: str, version: str, day: str) -> str:
    """The changelog in which what was unreleased is the version of that day, and nothing is unreleased.

    Raises:
        ValueError: that is no version, it stands there already, or nothing is unreleased.
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"{version!r} is no version of the form 0.2.0 (Semantic Versioning).")
    if re.search(rf"^## {re.escape(version)}( |$)", changelog, re.MULTILINE):
        raise ValueError(f"CHANGELOG.md has {version} already: take the next number.")
    notes(changelog, UNRELEASED)
    return changelog.replace(f"## {UNRELEASED}\n", f"## {UNRELEASED}\n\n## {version} - {day}\n", 1)


def pinned(text: str, version: str) -> str:
    """A file of deploy/ that names the image of that version.

    >>> pinned("image: mass-pipeline:0.1.0", "0.2.0")
    'image: mass-pipeline:0.2.0'
    """
    return re.sub(r"\bmass-pipeline:\d+\.\d+\.\d+", f"mass-pipeline:{version}", text)


def main(what: str, version: str) -> int:
    """`notes` or `cut`, on the changelog of the project."""
    changelog = CHANGELOG.read_text(encoding="utf-8")
    try:
        if what == "notes":
            print(notes(changelog, version))
        else:
            CHANGELOG.write_text(cut(changelog, version, f"{datetime.now(UTC):%Y-%m-%d}"), encoding="utf-8")
            for path in PINNED:
                path.write_text(pinned(path.read_text(encoding="utf-8"), version), encoding="utf-8")
            settings = re.sub(r'(fallback_version = )"[\d.]+"', rf'\1"{version}"', PYPROJECT.read_text(encoding="utf-8"))
            PYPROJECT.write_text(settings, encoding="utf-8")
            print(f"CHANGELOG.md, pyproject.toml and deploy/ have {version}; commit them, then: git tag -a v{version}")
    except ValueError as error:
        print(f"make {'notes' if what == 'notes' else 'release'}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
