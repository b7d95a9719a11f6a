"""Commands about the running loop: its clock, its configuration and what it tells."""

from typing import Annotated, Final, Literal

from pydantic import Field

from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.values import JsonObject
from diorama.operate.console.context import OperatorContext, SpeedName


class ReloadArguments(Arguments):
    """Which section; all of them by default."""

    section: Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_.]{0,63}$")] | None = None


class SpeedArguments(Arguments):
    """How fast time passes."""

    speed: SpeedName


class StepArguments(Arguments):
    """How many ticks."""

    n: int = Field(default=1, ge=1, le=1000)


class StoryArguments(Arguments):
    """What is told; a priority story passes the cooldowns."""

    message: str = Field(min_length=1, max_length=280, pattern=r"^[^\x00-\x1f\x7f]+$")
    category: str = Field(default="operator_story", pattern=r"^[a-z][a-z0-9_]{0,31}$")
    priority: bool = False


class SwitchArguments(Arguments):
    """On or off."""

    state: Literal["on", "off"]


def _reload(context: OperatorContext, given: ReloadArguments) -> JsonObject:
    return context.reload_config(given.section)


def _speed(context: OperatorContext, given: SpeedArguments) -> JsonObject:
    return context.set_speed(given.speed)


def _step(context: OperatorContext, given: StepArguments) -> JsonObject:
    return context.step(given.n)


def _announce(context: OperatorContext, given: StoryArguments) -> JsonObject:
    return context.announce(given.message, given.category, is_priority=given.priority)


def _privacy(context: OperatorContext, given: SwitchArguments) -> JsonObject:
    return context.set_privacy(is_on=given.state == "on")


COMMANDS: Final = (
    Command(
        name="config_reload",
        role="admin",
        needs_id=True,
        summary="Read the configuration again.",
        arguments=ReloadArguments,
        run=_reload,
    ),
    Command(
        name="speed",
        role="admin",
        needs_id=True,
        summary="Let time pass faster, slower or not at all.",
        arguments=SpeedArguments,
        run=_speed,
    ),
    Command(
        name="step",
        role="admin",
        needs_id=True,
        summary="Run some ticks of a paused world.",
        arguments=StepArguments,
        run=_step,
    ),
    Command(
        name="announce_story",
        role="admin",
        needs_id=True,
        summary="Tell a story among the narrations.",
        arguments=StoryArguments,
        run=_announce,
        is_repeated=True,
    ),
    Command(
        name="set_privacy",
        role="admin",
        needs_id=True,
        summary="Hide who is who in everything that leaves.",
        arguments=SwitchArguments,
        run=_privacy,
    ),
)
