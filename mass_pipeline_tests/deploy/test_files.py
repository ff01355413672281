"""The files of deploy/ are what their programs accept, and name commands that exist."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from dagster import DagsterInstance
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from mass_pipeline.crawling import CrawlConfig
from mass_pipeline_tests import release
from mass_pipeline_tests.shared import ROOT

DEPLOY = ROOT / "deploy"
MANIFESTS = [
    (path.name, document) for path in sorted((DEPLOY / "k8s").glob("*.yaml")) for document in yaml.safe_load_all(path.read_text())
]
UNITS = sorted((DEPLOY / "systemd").glob("mass-pipeline*"))


@pytest.mark.parametrize(("file", "manifest"), MANIFESTS, ids=[f"{file}-{one['kind']}" for file, one in MANIFESTS])
class TestKubernetes:
    def test_a_manifest_is_valid(self, file: str, manifest: dict[str, Any]) -> None:
        import kubernetes_validate

        kubernetes_validate.validate(manifest, "1.31", strict=True)


class TestKubernetesAsAWhole:
    def test_a_spoiled_manifest_is_refused(self) -> None:
        import kubernetes_validate

        (manifest,) = [one for _, one in MANIFESTS if one["kind"] == "Deployment" and one["metadata"]["name"] == "ui"]
        with pytest.raises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate({**manifest, "spec": {"replicas": "many"}}, "1.31", strict=True)

    def test_what_a_deployment_mounts_and_reaches_is_there(self) -> None:
        names = {(one["kind"], one["metadata"]["name"]) for _, one in MANIFESTS}
        for _, one in MANIFESTS:
            if one["kind"] == "Deployment":
                pod = one["spec"]["template"]["spec"]
                assert ("ServiceAccount", pod["serviceAccountName"]) in names
                for volume in pod["volumes"]:
                    assert "configMap" not in volume or ("ConfigMap", volume["configMap"]["name"]) in names
        assert ("Service", "code") in names  # as workspace.yaml has it

    def test_the_launcher_accepts_its_settings(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from dagster_k8s import K8sRunLauncher  # a second of imports that no other test needs

        (config,) = [one["data"]["dagster.yaml"] for _, one in MANIFESTS if one["kind"] == "ConfigMap"]
        spoiled = yaml.safe_load(config)
        del spoiled["storage"]  # the cluster's database is not here
        spoiled["run_launcher"]["config"]["load_incluster_config"] = False
        kubeconfig = tmp_path / "kube"
        cluster = {"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}
        context = {"name": "x", "context": {"cluster": "c", "user": "u"}}
        kubeconfig.write_text(
            yaml.dump(
                {"clusters": [cluster], "contexts": [context], "current-context": "x", "users": [{"name": "u", "user": {}}]}
            )
        )
        spoiled["run_launcher"]["config"]["kubeconfig_file"] = str(kubeconfig)
        (tmp_path / "dagster.yaml").write_text(yaml.dump(spoiled))
        with DagsterInstance.from_config(str(tmp_path)) as instance:
            assert isinstance(instance.run_launcher, K8sRunLauncher)


class TestCompose:
    def test_every_part_uses_one_image_and_waits_for_its_services(self) -> None:
        services = yaml.safe_load((DEPLOY / "scale" / "compose.yaml").read_text())["services"]
        for name in ("code", "daemon", "ui", "worker"):
            assert set(services[name]["depends_on"]) == {"postgres", "rabbitmq"}
            assert services[name]["environment"]["MASS_PG_URL"].startswith("postgresql+psycopg2://")

    def test_the_broker_waits_longer_for_a_run_than_a_run_may_take(self) -> None:
        (milliseconds,) = re.findall(r"consumer_timeout = (\d+)", (DEPLOY / "scale" / "rabbitmq.conf").read_text())
        monitoring = yaml.safe_load((DEPLOY / "scale" / "dagster.yaml").read_text())["run_monitoring"]

        assert int(milliseconds) > 1000 * monitoring["max_runtime_seconds"]

    def test_a_queued_run_is_looked_for_every_second(self) -> None:
        """From the queue to the first page five seconds are allowed, as many as the daemon's own interval."""
        from dagster import QueuedRunCoordinator

        told = yaml.safe_load((DEPLOY / "scale" / "dagster.yaml").read_text())["run_coordinator"]["config"]

        assert QueuedRunCoordinator(**told).dequeue_interval_seconds == 1

    @pytest.mark.parametrize("instance", ["dagster.yaml", "scale/dagster.yaml"])
    def test_a_crawl_ends_by_itself_before_its_run_is_ended(self, instance: str) -> None:
        config = CrawlConfig()
        longest = config.max_crawl_seconds + config.max_wait_seconds + config.total_seconds
        monitoring = yaml.safe_load((DEPLOY / instance).read_text())["run_monitoring"]

        assert longest < monitoring["max_runtime_seconds"] - 1800  # reading what was crawled takes its time too


class TestImage:
    def test_the_tools_that_make_the_wheel_are_complete(self) -> None:
        """A tool that needs one more package would fail when the image is built, which no test does."""
        (pattern,) = re.findall(r"wanted = /\^\(([\w|-]+)\)==/", (DEPLOY / "scale" / "Dockerfile").read_text())
        needed, found = ["setuptools", "setuptools-scm", "wheel"], set()
        while needed:
            name = canonicalize_name(needed.pop())
            if name not in found:
                found.add(name)
                wanted = (Requirement(one) for one in metadata.requires(name) or [])
                needed += [one.name for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})]

        assert found <= set(pattern.split("|"))

    def test_the_wheel_carries_no_passwords(self, tmp_path: Path) -> None:
        for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / name, tmp_path)
        (tmp_path / "mass_pipeline").mkdir()
        (tmp_path / "mass_pipeline" / "__init__.py").touch()
        shutil.copytree(DEPLOY / "scale", tmp_path / "deploy" / "scale", ignore=shutil.ignore_patterns(".env"))
        (tmp_path / "deploy" / "scale" / ".env").write_text("PG_PASSWORD=secret")
        command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", "built"]
        subprocess.run(command, check=True, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        carried = {path.name for path in (tmp_path / "built" / "mass_pipeline" / "_project" / "deploy" / "scale").iterdir()}

        assert carried == {path.name for path in (DEPLOY / "scale").iterdir()} - {".env"}


class TestUnits:
    @pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")
    def test_systemd_reads_them(self, tmp_path: Path) -> None:
        """The programs stand elsewhere on the machine that runs them: here any program stands for them."""
        for unit in UNITS:
            text = re.sub(r"/opt/mass-pipeline/\.venv/bin/[\w-]+", "/bin/true", unit.read_text())
            (tmp_path / unit.name).write_text(text.replace("User=mass\n", "User=root\n"))
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / unit.name) for unit in UNITS)],
            capture_output=True,
            text=True,
            check=False,
            env={"SYSTEMD_UNIT_PATH": f"{tmp_path}:/usr/lib/systemd/system", "PATH": "/usr/bin:/bin"},
        )

        assert "mass-pipeline" not in done.stderr, done.stderr

    def test_the_target_wants_every_service(self) -> None:
        target = (DEPLOY / "systemd" / "mass-pipeline.target").read_text()

        assert {unit.name for unit in UNITS if unit.suffix == ".service"} == set(re.findall(r"[\w-]+\.service", target))

    def test_every_service_starts_again(self) -> None:
        for unit in UNITS:
            if unit.suffix == ".service":
                assert "Restart=always" in unit.read_text()


class TestCommands:
    def test_the_web_server_of_the_ui_takes_its_options(self) -> None:
        from mass_pipeline.operations.operator_ui.server import serve

        files = [DEPLOY / "systemd" / "mass-pipeline-ui.service", DEPLOY / "scale" / "compose.yaml", DEPLOY / "k8s" / "ui.yaml"]
        for path in files:
            ((words),) = re.findall(r"-m mass_pipeline\.operations\.operator_ui\.server([^]\n]*)", path.read_text())

            assert serve.make_context(path.name, shlex.split(words)).params["names"], path.name

    def test_every_image_is_that_of_the_last_release(self) -> None:
        """`make release` names the next one; what `latest` would be differs from node to node."""
        (last, *_) = re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
        for path in release.naming_the_image(ROOT):
            assert set(re.findall(r"mass-pipeline:([\w.]+)", path.read_text())) <= {last}, path.name

    def test_those_that_are_named_exist(self) -> None:
        import click

        from mass_pipeline.cli import cli

        for path in [*UNITS, DEPLOY / "scale" / "compose.yaml", *(DEPLOY / "k8s").glob("*.yaml")]:
            for words in re.findall(r"mass-pipeline (annotate|public serve|automation pools)", path.read_text()):
                command: click.Command = cli
                for word in words.split():
                    assert isinstance(command, click.Group)
                    found = command.get_command(click.Context(command), word)
                    assert found is not None, f"{path.name}: {words}"
                    command = found
