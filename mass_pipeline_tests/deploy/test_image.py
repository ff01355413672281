"""The image of deploy/scale is built, and its demo agrees with the truth."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from mass_pipeline_tests.shared import ROOT


def _can_build() -> bool:
    docker = shutil.which("docker") and subprocess.run(["docker", "info"], capture_output=True, check=False).returncode == 0
    return bool(docker or shutil.which("buildah"))


@pytest.mark.soak
def test_the_demo_runs_in_the_image() -> None:
    if not _can_build():
        pytest.skip("no docker daemon answers, and buildah is not installed")
    command = ["make", "image", f"BUILD_ARGS={os.environ.get('MASS_TESTS_IMAGE_ARGS', '')}"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert ended.returncode == 0, ended.stderr[-3000:]
    assert re.search(r"F1 (?:1\.000|0\.99\d) \(6[23]\d right, 0 wrong", ended.stdout)
