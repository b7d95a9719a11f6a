"""What can go wrong with exports.

StateConflict
└── ExportRefused   the policy cannot be exported; the message says why
DioramaError
└── ExportFailed    the process that exports it broke down
LimitReached
└── ExportLimit     as many requests wait for exports as may
"""

from diorama.contracts.errors import DioramaError
from diorama.server.errors import LimitReached, StateConflict


class ExportRefused(StateConflict):
    """The policy cannot be exported; the message is what the process that tried says."""


class ExportFailed(DioramaError):
    """The process that exports a policy broke down."""


class ExportLimit(LimitReached):
    """No further request can wait for an export."""
