"""`make release VERSION=0.2.0` dates what is unreleased in CHANGELOG.md, commits and tags; `make notes VERSION=0.2.0` prints it.

The version itself is that of the git tag (setuptools-scm); docs/architecture.md, "Releases", has the steps.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from mass_pipeline_tests.shared import ROOT

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


def naming_the_image(root: Path) -> list[Path]:
    """Files of the deployment that name it with its version."""
    return [path for path in sorted((root / "deploy").rglob("*")) if path.suffix in (".yaml", "") and path.is_file()]


def pinned(text: str, version: str) -> str:
    """A file of deploy/ that names the image of that version.

    >>> pinned("image: mass-pipeline:0.1.0", "0.2.0")
    'image: mass-pipeline:0.2.0'
    """
    return re.sub(r"\bmass-pipeline:\d+\.\d+\.\d+", f"mass-pipeline:{version}", text)


def release(root: Path, version: str) -> None:
    """Write the version where it stands in files, commit them and tag the commit, which gives programs their version.

    Raises:
        ValueError: see `cut`; or there are changes that no commit has.
    """
    changelog, pyproject = root / "CHANGELOG.md", root / "pyproject.toml"  # the latter for sources without git
    new = cut(changelog.read_text(encoding="utf-8"), version, f"{datetime.now(UTC):%Y-%m-%d}")
    if _git(root, "status", "--porcelain", "--untracked-files=no"):
        raise ValueError("there are changes that are not committed: commit them, or put them aside with git stash.")
    changelog.write_text(new, encoding="utf-8")
    for path in naming_the_image(root):
        path.write_text(pinned(path.read_text(encoding="utf-8"), version), encoding="utf-8")
    settings = re.sub(r'(fallback_version = )"[\d.]+"', rf'\1"{version}"', pyproject.read_text(encoding="utf-8"))
    pyproject.write_text(settings, encoding="utf-8")
    _git(root, "commit", "-q", "-a", "-m", f"Version {version}")
    _git(root, "tag", "-a", f"v{version}", "--cleanup=verbatim", "-m", notes(new, version))


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout


def main(what: str, version: str) -> int:
    """`notes` or `cut`, on the changelog of the project."""
    try:
        if what == "notes":
            print(notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version))
        else:
            release(ROOT, version)
            print(f"v{version} is committed and tagged. Publish it with: git push origin HEAD v{version}")
    except ValueError as error:
        print(f"make {'notes' if what == 'notes' else 'release'}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
