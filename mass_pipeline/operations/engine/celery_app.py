"""The Celery application of the workers: `celery -A mass_pipeline.operations.engine.celery_app worker -Q dagster`.

Workers ignore the launcher's settings in dagster.yaml: acknowledgement is set here. With MASS_PRELOAD=1 definitions and
assets are imported once in the parent, and every run is a fork of it that starts at once.
"""

from __future__ import annotations

import ast
import importlib
import multiprocessing
import os
from pathlib import Path
from typing import Final

from celery.signals import worker_process_init
from dagster_celery.config import dict_wrapper
from dagster_celery.make_app import make_app
from dagster_celery.tasks import create_execute_job_task, create_resume_job_task, create_task

from mass_pipeline import defs

app = make_app(
    {
        "broker": os.environ.get("MASS_BROKER", "amqp://127.0.0.1//"),
        "backend": os.environ.get("MASS_RESULTS", "rpc://"),
        "config_source": dict_wrapper(
            {
                "task_acks_late": True,  # a task belongs to the queue until its run has ended,
                "task_reject_on_worker_lost": True,  # so that another worker takes it when this one dies
                "worker_prefetch_multiplier": 1,
                "worker_max_tasks_per_child": 1,  # a fresh process per run: no memory and no modules are left over
                "task_default_queue": "dagster",
                "broker_connection_retry_on_startup": True,
                "worker_proc_alive_timeout": 60.0,  # seconds; the four of Celery are too few on a busy machine
                "broker_heartbeat": 20,  # seconds; a worker that was cut off is noticed after two of them
                "worker_cancel_long_running_tasks_on_connection_loss": False,
                "result_backend_max_retries": 100,  # five seconds apart: a run that ends while the database is away can tell
            }
        ),
    }
)
execute_plan, execute_job, resume_job = create_task(app), create_execute_job_task(app), create_resume_job_task(app)


_PARENT: Final = multiprocessing.current_process()


def may_have_children(**_: object) -> None:
    """Let a run start processes: costly pages are read in one of their own (`guard`).

    Celery's pool puts a process object of its own in the place of Python's: a daemon, which may start no process, with a key that
    cannot be handed to one. The one of the parent takes its place again.
    """
    multiprocessing.process._current_process = _PARENT  # type: ignore[attr-defined]


worker_process_init.connect(may_have_children)


def load_what_runs_need() -> None:
    """The definitions, and what assets import only when they run: loaded before the fork, it costs no run anything."""
    importlib.import_module("mass_pipeline.definitions")
    for path in sorted(Path(defs.__path__[0]).glob("*/*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("mass_pipeline."):
                module = importlib.import_module(str(node.module))
                for one in node.names:
                    getattr(module, one.name, None)  # some packages import a name when it is asked for


if os.environ.get("MASS_PRELOAD") == "1":
    load_what_runs_need()
