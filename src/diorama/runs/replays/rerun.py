"""Takes recorded steps again and compares them with what was recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import UnsetType, to_builtins

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.runs.replays.frames import Frame, action_rows
from diorama.runs.replays.scene import Moment, Scene

# The state hash comes last: where it alone differs, nothing that was seen has changed yet.
_COMPARED: Final = ("t", "dt", "reward", "terminated", "truncated", "events", "event_data", "info", "state_hash")
_DISCRETE: Final = ("t", "dt", "terminated", "truncated", "events", "info")
_COMPARED_IF_RECORDED: Final = frozenset({"info", "state_hash"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """The first place where a replay and its repetition differ; `frame` is None for what is in no frame."""

    frame: int | None
    field: str
    recorded: JsonValue
    rerun: JsonValue

    def __str__(self) -> str:
        """Say it in one line."""
        place = "outside of the frames" if self.frame is None else f"at frame {self.frame}"
        return f"{place}, {self.field} was recorded as {self.recorded!r} and is now {self.rerun!r}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """A recorded step taken again."""

    moment: Moment | None
    divergence: Divergence | None


def rerun_frame(scene: Scene, frame: Frame, *, where: str, with_picture: bool = False) -> Rerun:
    """Take the step of a frame again.

    Args:
        scene: Stands where the frame begins.
        frame: As it was recorded.
        where: Names the frame in errors.
        with_picture: Whether the render state is drawn again and compared, which is slow; the state hash already
            stands for everything it shows.

    Raises:
        DocumentError: The frame does not fit the world.
    """
    if not isinstance(frame.commands, UnsetType):
        raise DocumentError(f"{where}: holds operator commands, which only a live world can apply again")
    if scene.is_over:
        gone = Divergence(frame=frame.frame_index, field="frame", recorded="a step", rerun="no step: the episode ended")
        return Rerun(moment=None, divergence=gone)
    moment = scene.step(action_rows(scene.spec, frame.action, where=where))
    divergence = _compare_step(frame, moment)
    if divergence is None and with_picture:
        divergence = compare_pictures(frame.frame_index, "render_state", frame.render_state, scene.render_state())
    return Rerun(moment=moment, divergence=divergence)


def compare_pictures(frame: int | None, name: str, recorded: JsonObject, rerun: JsonObject) -> Divergence | None:
    """Return the first recorded key that comes out differently.

    A render state may gain keys without another schema version; replays of earlier versions lack them.
    """
    for key in sorted(recorded):
        if key not in rerun or recorded[key] != rerun[key]:
            return Divergence(frame=frame, field=f"{name}.{key}", recorded=recorded[key], rerun=rerun.get(key))
    return None


def compare_loosely(scene: Scene, frame: Frame, moment: Moment) -> Divergence | None:
    """Compare what is discrete in a step exactly, and what may drift within the limits of the world."""
    again = scene.render_state()
    return _compare_step(frame, moment, _DISCRETE) or compare_drifting(
        frame.frame_index, frame.render_state, again, scene.venue.world.drift
    )


def compare_drifting(
    frame: int | None, recorded: JsonObject, rerun: JsonObject, limits: Mapping[str, float]
) -> Divergence | None:
    """Return the first number of two render states that lies farther apart than it may."""
    for key, limit in limits.items():
        one, other = recorded.get(key), rerun.get(key)
        if one != other and not (
            isinstance(one, int | float) and isinstance(other, int | float) and abs(one - other) <= limit
        ):
            return Divergence(frame=frame, field=f"render_state.{key}", recorded=one, rerun=other)
    return None


def _compare_step(frame: Frame, moment: Moment, compared: Sequence[str] = _COMPARED) -> Divergence | None:
    rerun = moment.frame(frame.render_state, include_info=True)
    for field in compared:
        recorded, again = getattr(frame, field), getattr(rerun, field)
        if field in _COMPARED_IF_RECORDED and isinstance(recorded, UnsetType):
            continue
        if plain_value(recorded) != plain_value(again):
            return Divergence(
                frame=frame.frame_index, field=field, recorded=plain_value(recorded), rerun=plain_value(again)
            )
    return None


def plain_value(value: object) -> JsonValue:
    """Return what a frame holds as values that can be compared; null for what it does not hold."""
    plain: JsonValue = None if isinstance(value, UnsetType) else to_builtins(value)
    return plain
