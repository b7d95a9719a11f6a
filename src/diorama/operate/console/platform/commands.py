"""All commands of the platform but `help`, which the catalogue adds."""

from typing import Any, Final

from diorama.contracts.live.commands import Command
from diorama.operate.console.context import OperatorContext
from diorama.operate.console.platform import asking, policies, running, saving

PLATFORM_COMMANDS: Final[tuple[Command[OperatorContext, Any], ...]] = (
    *asking.COMMANDS,
    *policies.COMMANDS,
    *saving.COMMANDS,
    *running.COMMANDS,
)
