"""What the project uses of Dagster that is not its public interface: an upgrade of Dagster is tried here.

No other module imports a private one (ruff, TID251). Each name is imported when it is asked for: all together cost a second,
which loading the definitions must not.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dagster._config import (
        ConfigScalar as ConfigScalar,
    )
    from dagster._config import (
        ConfigScalarKind as ConfigScalarKind,
    )
    from dagster._config import (
        PostProcessingError as PostProcessingError,
    )
    from dagster._core.definitions.reconstruct import ReconstructableRepository as ReconstructableRepository
    from dagster._core.definitions.repository_definition import SINGLETON_REPOSITORY_NAME as SINGLETON_REPOSITORY_NAME
    from dagster._core.definitions.unresolved_asset_job_definition import (
        UnresolvedAssetJobDefinition as UnresolvedAssetJobDefinition,
    )
    from dagster._core.errors import DagsterUserCodeUnreachableError as DagsterUserCodeUnreachableError
    from dagster._core.events import RunFailureReason as RunFailureReason
    from dagster._core.execution.api import execute_run_iterator as execute_run_iterator
    from dagster._core.execution.backfill import (
        BulkActionsFilter as BulkActionsFilter,
    )
    from dagster._core.execution.backfill import (
        BulkActionStatus as BulkActionStatus,
    )
    from dagster._core.execution.backfill import (
        PartitionBackfill as PartitionBackfill,
    )
    from dagster._core.execution.plan.objects import ErrorSource as ErrorSource
    from dagster._core.execution.plan.resume_retry import ReexecutionStrategy as ReexecutionStrategy
    from dagster._core.execution.retries import auto_reexecution_should_retry_run as auto_reexecution_should_retry_run
    from dagster._core.launcher import (
        CheckRunHealthResult as CheckRunHealthResult,
    )
    from dagster._core.launcher import (
        LaunchRunContext as LaunchRunContext,
    )
    from dagster._core.launcher import (
        WorkerStatus as WorkerStatus,
    )
    from dagster._core.remote_origin import (
        RegisteredCodeLocationOrigin as RegisteredCodeLocationOrigin,
    )
    from dagster._core.remote_origin import (
        RemoteJobOrigin as RemoteJobOrigin,
    )
    from dagster._core.remote_origin import (
        RemoteRepositoryOrigin as RemoteRepositoryOrigin,
    )
    from dagster._core.remote_representation.external import (
        RemoteRepository as RemoteRepository,
    )
    from dagster._core.remote_representation.external import (
        RemoteSchedule as RemoteSchedule,
    )
    from dagster._core.remote_representation.external import (
        RemoteSensor as RemoteSensor,
    )
    from dagster._core.storage.dagster_run import NOT_FINISHED_STATUSES as NOT_FINISHED_STATUSES
    from dagster._core.storage.runs import InMemoryRunStorage as InMemoryRunStorage
    from dagster._core.storage.runs import SqliteRunStorage as SqliteRunStorage
    from dagster._core.storage.tags import (
        RETRY_ON_ASSET_OR_OP_FAILURE_TAG as RETRY_ON_ASSET_OR_OP_FAILURE_TAG,
    )
    from dagster._core.storage.tags import (
        RETRY_STRATEGY_TAG as RETRY_STRATEGY_TAG,
    )
    from dagster._core.storage.tags import (
        RUN_FAILURE_REASON_TAG as RUN_FAILURE_REASON_TAG,
    )
    from dagster._core.workspace.context import WorkspaceProcessContext as WorkspaceProcessContext
    from dagster._core.workspace.load_target import ModuleTarget as ModuleTarget
    from dagster._core.workspace.load_target import WorkspaceFileTarget as WorkspaceFileTarget
    from dagster._serdes import ConfigurableClassData as ConfigurableClassData

DAEMON_MODULE: Final = "dagster._daemon"
_HOMES: Final = {
    "dagster._config": ("ConfigScalar", "ConfigScalarKind", "PostProcessingError"),
    "dagster._core.definitions.reconstruct": ("ReconstructableRepository",),
    "dagster._core.definitions.repository_definition": ("SINGLETON_REPOSITORY_NAME",),
    "dagster._core.definitions.unresolved_asset_job_definition": ("UnresolvedAssetJobDefinition",),
    "dagster._core.errors": ("DagsterUserCodeUnreachableError",),
    "dagster._core.events": ("RunFailureReason",),
    "dagster._core.execution.api": ("execute_run_iterator",),
    "dagster._core.execution.backfill": ("BulkActionStatus", "BulkActionsFilter", "PartitionBackfill"),
    "dagster._core.execution.plan.objects": ("ErrorSource",),
    "dagster._core.execution.plan.resume_retry": ("ReexecutionStrategy",),
    "dagster._core.execution.retries": ("auto_reexecution_should_retry_run",),
    "dagster._core.launcher": ("CheckRunHealthResult", "LaunchRunContext", "WorkerStatus"),
    "dagster._core.remote_origin": ("RegisteredCodeLocationOrigin", "RemoteJobOrigin", "RemoteRepositoryOrigin"),
    "dagster._core.remote_representation.external": ("RemoteRepository", "RemoteSchedule", "RemoteSensor"),
    "dagster._core.storage.dagster_run": ("NOT_FINISHED_STATUSES",),
    "dagster._core.storage.runs": ("InMemoryRunStorage", "SqliteRunStorage"),
    "dagster._core.storage.tags": ("RETRY_ON_ASSET_OR_OP_FAILURE_TAG", "RETRY_STRATEGY_TAG", "RUN_FAILURE_REASON_TAG"),
    "dagster._core.workspace.context": ("WorkspaceProcessContext",),
    "dagster._core.workspace.load_target": ("ModuleTarget", "WorkspaceFileTarget"),
    "dagster._serdes": ("ConfigurableClassData",),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
