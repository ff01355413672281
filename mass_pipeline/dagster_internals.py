"""What the project uses of Dagster that is not its public interface: an upgrade of Dagster is tried here.

No other module imports a private one (ruff, TID251).
"""

from typing import Final

from dagster._config import ConfigScalar, ConfigScalarKind, PostProcessingError
from dagster._core.definitions.reconstruct import ReconstructableRepository
from dagster._core.definitions.repository_definition import SINGLETON_REPOSITORY_NAME
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition
from dagster._core.errors import DagsterUserCodeUnreachableError
from dagster._core.events import RunFailureReason
from dagster._core.execution.api import execute_run_iterator
from dagster._core.execution.backfill import BulkActionsFilter, BulkActionStatus, PartitionBackfill
from dagster._core.execution.plan.objects import ErrorSource
from dagster._core.execution.plan.resume_retry import ReexecutionStrategy
from dagster._core.execution.retries import auto_reexecution_should_retry_run
from dagster._core.launcher import CheckRunHealthResult, LaunchRunContext, WorkerStatus
from dagster._core.remote_origin import RegisteredCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin
from dagster._core.remote_representation.external import RemoteRepository, RemoteSchedule, RemoteSensor
from dagster._core.storage.dagster_run import NOT_FINISHED_STATUSES
from dagster._core.storage.runs import InMemoryRunStorage, SqliteRunStorage
from dagster._core.storage.tags import RETRY_ON_ASSET_OR_OP_FAILURE_TAG, RETRY_STRATEGY_TAG, RUN_FAILURE_REASON_TAG
from dagster._core.workspace.context import WorkspaceProcessContext
from dagster._core.workspace.load_target import ModuleTarget, WorkspaceFileTarget
from dagster._serdes import ConfigurableClassData

DAEMON_MODULE: Final = "dagster._daemon"

__all__ = [
    "DAEMON_MODULE",
    "NOT_FINISHED_STATUSES",
    "RETRY_ON_ASSET_OR_OP_FAILURE_TAG",
    "RETRY_STRATEGY_TAG",
    "RUN_FAILURE_REASON_TAG",
    "SINGLETON_REPOSITORY_NAME",
    "BulkActionStatus",
    "BulkActionsFilter",
    "CheckRunHealthResult",
    "ConfigScalar",
    "ConfigScalarKind",
    "ConfigurableClassData",
    "DagsterUserCodeUnreachableError",
    "ErrorSource",
    "InMemoryRunStorage",
    "LaunchRunContext",
    "ModuleTarget",
    "PartitionBackfill",
    "PostProcessingError",
    "ReconstructableRepository",
    "ReexecutionStrategy",
    "RegisteredCodeLocationOrigin",
    "RemoteJobOrigin",
    "RemoteRepository",
    "RemoteRepositoryOrigin",
    "RemoteSchedule",
    "RemoteSensor",
    "RunFailureReason",
    "SqliteRunStorage",
    "UnresolvedAssetJobDefinition",
    "WorkerStatus",
    "WorkspaceFileTarget",
    "WorkspaceProcessContext",
    "auto_reexecution_should_retry_run",
    "execute_run_iterator",
]
