"""The errors of this world, each a child of one of the platform's.

ConfigError (platform, ValueError)     a configuration is wrong; all reasons are listed
ContractError (platform)               unit, shape, dtype or range broken at a module boundary
├── SlotIdError                        a slot id that is not `r<row>c<col>`; a `ValueError` too
├── LifecycleError                     code demanded an illegal transition
├── InvalidStateMachineError           a mask without a single valid option
├── BlueprintError                     a blueprint is unknown, foreign, registered twice or changes the shape
└── WorldStateError                    calls out of order
DioramaError (platform)
├── DatasetUnavailable                 data missing or malformed, with the location tried
├── RollbackFailed                     a safety snapshot is incomplete or not finite
└── TrainingDiverged                   three policy updates in a row had to be skipped
CheckpointMismatch (platform)          an incompatible checkpoint, differences listed
ReplayDivergence                       first differing step, env and field
"""

from diorama.contracts.errors import CheckpointMismatch, ContractError, DioramaError, ReplayDiverged
from diorama.contracts.errors import ConfigError as PlatformConfigError

__all__ = [
    "BlueprintError",
    "CheckpointMismatch",
    "ConfigError",
    "ContractError",
    "DatasetUnavailable",
    "InvalidStateMachineError",
    "LifecycleError",
    "ReplayDivergence",
    "RollbackFailed",
    "SlotIdError",
    "TrainingDiverged",
    "WorldStateError",
]


class ConfigError(PlatformConfigError, ValueError):
    """A configuration is wrong; the message lists every reason."""


class SlotIdError(ContractError, ValueError):
    """A slot id does not read `r<row>c<col>`."""


class LifecycleError(ContractError):
    """Code, not a policy, demanded a transition the lifecycle does not have."""


class InvalidStateMachineError(ContractError):
    """A mask reached the sampler without one valid option."""


class BlueprintError(ContractError):
    """A blueprint is unknown, foreign to the topology, registered twice, or changes the shape."""


class WorldStateError(ContractError):
    """The world was called out of order."""


class DatasetUnavailable(DioramaError):
    """Data is missing or malformed; the message names the place that was tried."""

    exit_code = 3


class RollbackFailed(DioramaError):
    """A snapshot of the governor is incomplete or not finite."""

    exit_code = 5


class TrainingDiverged(DioramaError):
    """Three policy updates in a row had to be skipped."""

    exit_code = 4


class ReplayDivergence(ReplayDiverged):
    """A replay came out different; the message names the first step, env and field."""
