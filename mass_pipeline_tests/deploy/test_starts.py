"""Every command of deploy/ starts as written and answers. Real processes; only folders, ports and addresses are moved."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
import yaml
from grpc_health.v1 import health_pb2, health_pb2_grpc

from mass_pipeline_tests.postgres import fresh_database
from mass_pipeline_tests.shared import ROOT, comes_true, needs

DEPLOY = ROOT / "deploy"
_RABBITMQ = os.environ.get("MASS_TESTS_RABBITMQ", "amqp://guest:guest@127.0.0.1:5672//")
BIN = Path(sys.executable).parent
FOLDERS = ("/etc/mass-pipeline", "/var/lib/mass-pipeline", "/run/mass-pipeline", "/srv/dagster_home", "/srv/state")
PORTS = ("3000", "4266", "8094", "8095", "8096")
UI_NAME = "operator.parish-times.example"


@dataclass
class Part:
    """One process of a deployment.

    Attributes:
        command: program and arguments.
        environ: all of its environment.
        before: commands that end well before it starts.
    """

    command: Sequence[str]
    environ: Mapping[str, str]
    before: Sequence[Sequence[str]] = ()


class Machine:
    """Where a deployment is started: folders and ports of its own in the place of those that its files name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = {port: _free_port() for port in PORTS}
        for name in (*FOLDERS, "home", "tmp"):
            (folder / name.strip("/")).mkdir(parents=True)

    def moved(self, text: str) -> str:
        """A text of the deployment, for this machine."""
        text = text.replace("/opt/mass-pipeline/.venv/bin", str(BIN))
        for name in FOLDERS:
            text = text.replace(name, str(self.folder / name.strip("/")))
        for port, free in self.ports.items():
            text = re.sub(rf"\b{port}\b", free, text)
        return re.sub(r"\bhost: code\b", "host: 127.0.0.1", text)

    def install(self, text: str, path: str) -> None:
        """Write a file of the deployment where it belongs."""
        to = Path(self.moved(path))
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(self.moved(text))

    def environ(self, own: Mapping[str, str]) -> dict[str, str]:
        """The environment of a process that knows nothing but what its deployment gives it."""
        plain = {
            "PATH": f"{BIN}:/usr/bin:/bin",
            "HOME": f"{self.folder}/home",
            "TMPDIR": f"{self.folder}/tmp",
            "PYTHONPATH": str(ROOT),
        }
        return plain | {name: self.moved(value) for name, value in own.items()}

    def get(self, port: str, path: str, host: str | None = None) -> int:
        """Status of an answer; 0 while there is none."""
        try:
            headers = {"Host": self.moved(host)} if host else {}
            return httpx.get(f"http://127.0.0.1:{self.ports[port]}{path}", headers=headers, timeout=20).status_code
        except httpx.TransportError:
            return 0

    def may_change(self, port: str) -> bool:
        """Whether the UI at a port lets its visitors switch schedules and sensors on and off."""
        asked = {"query": "{permissions {permission value}}"}
        answer = httpx.post(f"http://127.0.0.1:{self.ports[port]}/graphql", json=asked, headers={"Host": UI_NAME}, timeout=60)
        return {one["permission"]: one["value"] for one in answer.json()["data"]["permissions"]}["edit_sensor"]


def _free_port() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


@contextmanager
def running(parts: Mapping[str, Part], machine: Machine) -> Iterator[Callable[[str, Callable[[], bool]], None]]:
    """The parts started in their order. Gives a function that waits until one answers, and fails when it ended instead."""
    children: dict[str, subprocess.Popen[bytes]] = {}
    logs = {name: machine.folder / f"{name}.log" for name in parts}

    def answers(name: str, does: Callable[[], bool]) -> None:
        here = comes_true(lambda: children[name].poll() is not None or does())
        said = logs[name].read_text()[-3000:]
        assert children[name].poll() is None, f"{name} ended with {children[name].returncode}: {said}"
        assert here, f"{name} does not answer: {said}"

    try:
        for name, part in parts.items():
            for command in part.before:
                done = subprocess.run(command, env=part.environ, capture_output=True, text=True, check=False)
                assert done.returncode == 0, done.stderr
            with logs[name].open("wb") as log:
                children[name] = subprocess.Popen(
                    part.command, env=part.environ, stdout=log, stderr=log, start_new_session=True, cwd=machine.folder
                )
        yield answers
    finally:
        for child in reversed(children.values()):
            child.send_signal(signal.SIGTERM)
        for child in children.values():
            try:
                child.wait(60)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


@contextmanager
def machine() -> Iterator[Machine]:
    with tempfile.TemporaryDirectory(prefix="mass-") as folder:  # short: paths of sockets take 107 characters
        yield Machine(Path(folder))


def env_file(path: Path, **filled: str) -> dict[str, str]:
    """Variables of an example, with what the operator fills in."""
    lines = (line.split("=", 1) for line in path.read_text().splitlines() if line and not line.startswith("#"))
    return {name: filled.get(name, value) for name, value in lines}


def unit(path: Path, machine: Machine, own: Mapping[str, str]) -> Part:
    """The process of a systemd unit; a line that begins with - may fail."""
    lines = [line.partition("=")[::2] for line in path.read_text().splitlines()]
    environ = machine.environ(own)
    for name, value in lines:
        if name == "Environment":
            environ |= dict(machine.moved(one).split("=", 1) for one in value.split())

    def words(line: str) -> list[str]:
        return [re.sub(r"\$\{(\w+)\}", lambda found: environ[found[1]], word) for word in shlex.split(machine.moved(line))]

    (command,) = [words(value) for name, value in lines if name == "ExecStart"]
    before = [words(value) for name, value in lines if name == "ExecStartPre" and not value.startswith("-")]
    return Part(command, environ, before)


def readers(ui: Part, here: Machine) -> Part:
    """The web server for readers, as docs/operating.md has it."""
    return Part([word.replace(here.ports["3000"], here.ports["8096"]) for word in ui.command] + ["--read-only"], ui.environ)


def in_order(paths: Sequence[Path]) -> list[Path]:
    """Units after those they name in After=."""
    return sorted(paths, key=lambda path: len(re.findall(r"^After=mass-pipeline-", path.read_text(), re.MULTILINE)))


def postgres(url: str, driver: str = "") -> str:
    return url.replace("postgresql+psycopg:", "postgresql:").replace("postgresql:", f"postgresql{driver}:")


def serves(machine: Machine) -> bool:
    """What a gRPC probe of Kubernetes asks."""
    try:
        with grpc.insecure_channel(f"127.0.0.1:{machine.ports['4266']}") as channel:
            asked = health_pb2.HealthCheckRequest(service="DagsterApi")
            return bool(health_pb2_grpc.HealthStub(channel).Check(asked, timeout=5).status == 1)
    except grpc.RpcError:
        return False


def probed(probe: Mapping[str, Any], part: Part, machine: Machine) -> bool:
    """The answer to a probe of a manifest."""
    if "grpc" in probe:
        return serves(machine)
    if "httpGet" in probe:
        asked = probe["httpGet"]
        (host,) = [one["value"] for one in asked["httpHeaders"] if one["name"] == "Host"]
        return machine.get(str(asked["port"]), asked["path"], host) == 200
    return subprocess.run(probe["exec"]["command"], env=part.environ, capture_output=True, check=False).returncode == 0


@pytest.mark.soak
class TestOneServer:
    def test_every_unit_starts_on_a_new_machine(self) -> None:
        with machine() as here:
            own = env_file(DEPLOY / "systemd" / "env.example", MASS_PIPELINE_CONTACT="info@parish-times.example")
            here.install((DEPLOY / "systemd" / "workspace.yaml").read_text(), "/etc/mass-pipeline/workspace.yaml")
            here.install((DEPLOY / "dagster.yaml").read_text(), "/var/lib/mass-pipeline/dagster_home/dagster.yaml")
            paths = in_order(sorted((DEPLOY / "systemd").glob("*.service")))
            parts = {path.stem.removeprefix("mass-pipeline-"): unit(path, here, own) for path in paths}
            parts["readers"] = readers(parts["ui"], here)
            with running(parts, here) as answers:
                answers("ui", lambda: here.get("3000", "/server_info", UI_NAME) == 200)
                answers("readers", lambda: here.get("8096", "/server_info", UI_NAME) == 200)
                assert [here.may_change(port) for port in ("3000", "8096")] == [True, False]
                answers("annotation", lambda: here.get("8094", "/health", "questions.parish-times.example") == 200)
                answers("public", lambda: here.get("8095", "/robots.txt") == 200)
                answers("public", lambda: here.get("8095", "/") == 503)  # no index yet
                answers("code", (here.folder / "run/mass-pipeline/code").exists)
                answers("daemon", lambda: probed(LIVENESS, parts["daemon"], here))


LIVENESS = {"exec": {"command": ["dagster-daemon", "liveness-check"]}}


def installation(here: Machine, database: str, cloud: Mapping[str, str]) -> dict[str, str]:
    """env.example of deploy/scale, filled in: what compose reads, and what the secret of Kubernetes holds."""
    secrets = {"PG_PASSWORD": "secret", "MQ_PASSWORD": "secret", "CONTACT": "info@parish-times.example"}
    filled = env_file(DEPLOY / "scale" / "env.example", **secrets, **cloud)
    whole = yaml.safe_load((DEPLOY / "scale" / "compose.yaml").read_text())
    environ = {}
    for name, value in whole["x-app"]["environment"].items():
        text = re.sub(r"\$\{(\w+)(?::-([^}]*))?\}", lambda found: filled.get(found[1]) or found[2] or "", value)
        text = re.sub(r"postgresql(\S*)://mass:secret@postgres/dagster", lambda found: postgres(database, found[1]), text)
        environ[name] = text.replace("amqp://mass:secret@rabbitmq:5672//", _RABBITMQ)
    image = re.findall(r"^ENV (.*)$", (DEPLOY / "scale" / "Dockerfile").read_text(), re.MULTILINE)[-1]
    dockerfile = dict(one.split("=", 1) for one in image.split() if not one.startswith("PATH="))
    return here.environ(dockerfile | environ) | {"UI_HOST": here.moved(filled["UI_HOST"])}


@pytest.fixture
def place(cloud: str) -> dict[str, str]:
    """Object storage, as env.example names it."""
    return {"DATA": cloud, **{name: value for name, value in os.environ.items() if name.startswith("AWS_")}}


@pytest.mark.soak
@pytest.mark.service
class TestSeveralMachines:
    def test_every_service_of_compose_starts(self, place: dict[str, str]) -> None:
        needs("rabbitmqctl", "-q", "ping")
        services = yaml.safe_load((DEPLOY / "scale" / "compose.yaml").read_text())["services"]
        with machine() as here, fresh_database() as database:
            for name in ("dagster.yaml", "workspace.yaml"):
                here.install((DEPLOY / "scale" / name).read_text(), f"/srv/dagster_home/{name}")
            environ = installation(here, database, place)
            parts = {
                name: Part(
                    shlex.split(here.moved(one["command"]).replace("${UI_HOST}", environ["UI_HOST"])),
                    environ | ({"MASS_PRELOAD": "1"} if name == "worker" else {}),
                )
                for name, one in services.items()
                if "command" in one
            }
            ping = {"exec": {"command": ["celery", "-A", "mass_pipeline.operations.engine.celery_app", "inspect", "ping"]}}
            with running(parts, here) as answers:
                answers("code", lambda: serves(here))
                answers("ui", lambda: here.get("3000", "/server_info", environ["UI_HOST"]) == 200)
                answers("worker", lambda: probed(ping, parts["worker"], here))
                answers("daemon", lambda: probed(LIVENESS, parts["daemon"], here))

    def test_every_deployment_of_kubernetes_starts_by_its_own_probe(self, place: dict[str, str]) -> None:
        """The root of its file system is read-only: nothing is written but where a volume for it is mounted."""
        manifests = [one for path in sorted((DEPLOY / "k8s").glob("*.yaml")) for one in yaml.safe_load_all(path.read_text())]
        (config,) = [one["data"] for one in manifests if one["kind"] == "ConfigMap"]
        pods = {one["metadata"]["name"]: one["spec"]["template"]["spec"] for one in manifests if one["kind"] == "Deployment"}
        with machine() as here, fresh_database() as database:
            for name, text in config.items():
                here.install(text, f"/srv/dagster_home/{name}")
            secret = installation(here, database, place) | {"MASS_UI_HOST": UI_NAME}
            parts = {}
            for name, pod in pods.items():
                (container,) = pod["containers"]
                own = {one["name"]: here.moved(one["value"]) for one in container["env"]}
                command = [here.moved(word) for word in container["command"]]
                parts[name] = Part(command[2:], secret | own)  # tini, -- are of the image
                assert command[:2] == ["tini", "--"]
            with running(parts, here) as answers:
                for name in ("code", "ui", "daemon"):
                    for kind in ("startupProbe", "readinessProbe", "livenessProbe"):
                        if probe := pods[name]["containers"][0].get(kind):
                            answers(name, lambda name=name, probe=probe: probed(probe, parts[name], here))
            home = here.folder / "srv/dagster_home"

            assert {path.name for path in home.iterdir()} == set(config)
            assert [path.name for path in (here.folder / "home").iterdir()] == []
