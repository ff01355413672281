"""Versions come from tags, release notes from the changelog."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mass_pipeline_tests.release import cut, notes, release
from mass_pipeline_tests.shared import ROOT

FALLBACK = str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools_scm"]["fallback_version"])
NEXT = f"{FALLBACK.rpartition('.')[0]}.{int(FALLBACK.rpartition('.')[2]) + 1}"
OLD = "# Changelog\nAll changes.\n\n## Unreleased\n### Added\n- New.\n\n## 0.1.0 - 2026-11-20\n- First.\n"


def git(folder: Path, *words: str) -> None:
    own = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"]
    subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True)


def version(folder: Path) -> str:
    """What a build of these sources would be called."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("SETUPTOOLS_SCM", "GIT_"))}
    asked = subprocess.run(
        [sys.executable, "-m", "setuptools_scm"], cwd=folder, check=True, capture_output=True, text=True, env=environ
    )
    return asked.stdout.split()[-1]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """The project's own pyproject.toml, without git."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.fixture
def checkout(sources: Path) -> Path:
    """The same with one commit and without a tag, as a clone of CI."""
    git(sources, "init", "-q")
    git(sources, "add", ".")
    git(sources, "commit", "-q", "-m", "first")
    return sources


class TestVersion:
    def test_a_tag_is_the_version(self, checkout: Path) -> None:
        git(checkout, "tag", "-a", "v3.2.1", "-m", "release")

        assert version(checkout) == "3.2.1"

    def test_a_release_is_one_commit_with_its_tag_and_notes(self, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("AUTHOR", "COMMITTER"):
            monkeypatch.setenv(f"GIT_{name}_NAME", "T")
            monkeypatch.setenv(f"GIT_{name}_EMAIL", "t@example.org")
        (checkout / "CHANGELOG.md").write_text(OLD)
        (checkout / "deploy").mkdir()
        (checkout / "deploy" / "job.yaml").write_text("image: mass-pipeline:0.1.0\n")
        git(checkout, "add", ".")
        with pytest.raises(ValueError, match="changes that are not committed"):
            release(checkout, "3.2.1")
        git(checkout, "commit", "-q", "-m", "second")
        release(checkout, "3.2.1")

        assert version(checkout) == "3.2.1"
        assert (checkout / "deploy" / "job.yaml").read_text() == "image: mass-pipeline:3.2.1\n"
        told = subprocess.run(["git", "tag", "-n9", "v3.2.1"], cwd=checkout, capture_output=True, text=True, check=True).stdout
        assert told.split(maxsplit=1)[1].split() == ["###", "Added", "-", "New."]
        with pytest.raises(ValueError, match=r"has 3\.2\.1 already"):
            release(checkout, "3.2.1")

    def test_after_the_tag_it_counts_on(self, checkout: Path) -> None:
        git(checkout, "tag", "v3.2.1")
        git(checkout, "commit", "-q", "--allow-empty", "-m", "second")

        assert version(checkout).startswith("3.2.2.dev1+g")

    def test_a_checkout_without_tags_has_a_version_too(self, checkout: Path) -> None:
        assert version(checkout).startswith(f"{NEXT}.dev1+g")

    def test_other_tags_are_no_versions(self, checkout: Path) -> None:
        git(checkout, "tag", "stop-21")

        assert version(checkout).startswith(f"{NEXT}.dev1+g")

    def test_sources_without_git_have_the_version_of_the_settings(self, sources: Path) -> None:
        assert version(sources) == FALLBACK


class TestReleaseNotes:
    def test_what_is_unreleased_becomes_the_version_of_a_day(self) -> None:
        new = cut(OLD, "0.2.0", "2026-12-01")

        assert notes(new, "0.2.0") == "### Added\n- New."
        assert "## Unreleased\n\n## 0.2.0 - 2026-12-01\n### Added" in new
        assert new.endswith("## 0.1.0 - 2026-11-20\n- First.\n")

    def test_a_version_is_released_once(self) -> None:
        with pytest.raises(ValueError, match=r"has 0\.1\.0 already"):
            cut(OLD, "0.1.0", "2026-12-01")

    def test_an_empty_release_is_refused(self) -> None:
        with pytest.raises(ValueError, match="says nothing"):
            cut(cut(OLD, "0.2.0", "2026-12-01"), "0.3.0", "2026-12-02")

    @pytest.mark.parametrize("wrong", ["v0.2.0", "0.2", "", "0.2.0.1"])
    def test_what_is_no_version_is_refused(self, wrong: str) -> None:
        with pytest.raises(ValueError, match="is no version"):
            cut(OLD, wrong, "2026-12-01")

    def test_an_unknown_version_is_told(self) -> None:
        with pytest.raises(ValueError, match=r"no version '9\.9\.9'"):
            notes(OLD, "9.9.9")

    def test_the_projects_own_changelog_tells_its_newest_version(self) -> None:
        changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        newest = re.findall(r"^## (\d\S*)", changelog, re.MULTILINE)[0]

        assert newest == FALLBACK
        assert notes(changelog, newest).startswith("### ")
