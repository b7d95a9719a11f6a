"""Commands about which policy decides."""

from typing import Annotated, Final

from pydantic import Field

from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.values import JsonObject
from diorama.operate.console.context import OperatorContext
from diorama.operate.console.platform.asking import NoArguments

Checkpoint = Annotated[str, Field(min_length=1, max_length=512)]
PolicyHash = Annotated[str, Field(pattern=r"^[0-9a-f]{8,64}$")]
Reason = Annotated[str, Field(min_length=1, max_length=280)]


class PolicyArguments(Arguments):
    """Which checkpoint; with a hash only if it still is what it was."""

    checkpoint: Checkpoint
    policy_hash: PolicyHash | None = None


class CandidateArguments(Arguments):
    """Which checkpoint."""

    checkpoint: Checkpoint


class RollbackArguments(Arguments):
    """Where to, a snapshot or a policy hash: the previous release by default, else the first; and why."""

    to: Checkpoint | None = None
    reason: Reason | None = None


def _status(context: OperatorContext, _: NoArguments) -> JsonObject:
    return context.promotion_status()


def _promote(context: OperatorContext, given: PolicyArguments) -> JsonObject:
    return context.promote_policy(given.checkpoint, given.policy_hash)


def _rollback(context: OperatorContext, given: RollbackArguments) -> JsonObject:
    return context.rollback_policy(given.to, given.reason)


def _swap(context: OperatorContext, given: PolicyArguments) -> JsonObject:
    return context.policy_swap(given.checkpoint, given.policy_hash)


def _shadow(context: OperatorContext, given: CandidateArguments) -> JsonObject:
    return context.offer_policy(given.checkpoint)


def _acknowledge(context: OperatorContext, _: NoArguments) -> JsonObject:
    return context.promotion_ack()


COMMANDS: Final = (
    Command(
        name="promotion_status",
        role="viewer",
        needs_id=False,
        summary="Show release, candidate and how far it is.",
        arguments=NoArguments,
        run=_status,
    ),
    Command(
        name="promote_policy",
        role="admin",
        needs_id=True,
        summary="Make a candidate that is ready the release.",
        arguments=PolicyArguments,
        run=_promote,
    ),
    Command(
        name="rollback_policy",
        role="admin",
        needs_id=True,
        summary="Go back to a former release.",
        arguments=RollbackArguments,
        run=_rollback,
    ),
    Command(
        name="policy_swap",
        role="admin",
        needs_id=True,
        summary="Change the release without asking whether it is ready.",
        arguments=PolicyArguments,
        run=_swap,
    ),
    Command(
        name="policy_shadow",
        role="admin",
        needs_id=True,
        summary="Judge a candidate beside the release.",
        arguments=CandidateArguments,
        run=_shadow,
    ),
    Command(
        name="promotion_ack",
        role="admin",
        needs_id=True,
        summary="Keep a release whose rollback was recommended.",
        arguments=NoArguments,
        run=_acknowledge,
    ),
)
