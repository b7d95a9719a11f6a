"""The line under an exported picture: which frame it is, what was decided, what it earned."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from diorama.contracts.spec import WorldSpec
    from diorama.runs.replays.frames import Frame, Number


def caption(spec: WorldSpec, frame: Frame, frame_count: int) -> str:
    """Describe a frame in one line."""
    parts = [
        f"{frame.frame_index + 1} / {frame_count}",
        action_words(spec, frame),
        f"reward {reward_words(frame.reward)}",
    ]
    return "   ".join([*parts, ", ".join(frame.events)])


def action_words(spec: WorldSpec, frame: Frame) -> str:
    """Name the decisions of a frame; seats are separated by a bar, heads by a plus."""
    seats = [frame.action] if spec.agents == 1 else frame.action
    if isinstance(seats, int):
        return str(seats)
    return " | ".join(
        "-" if seat is None else _decision(spec, [seat] if isinstance(seat, int) else seat) for seat in seats
    )


def reward_words(reward: Number) -> str:
    """Write the reward of every seat."""
    rewards = reward if isinstance(reward, list) else [reward]
    return " | ".join("-" if value is None else f"{value:+.3f}" for value in rewards)


def _decision(spec: WorldSpec, options: Sequence[object]) -> str:
    named = zip(spec.heads, options, strict=False)
    return " + ".join(
        head.options[option] if isinstance(option, int) and 0 <= option < len(head.options) else str(option)
        for head, option in named
    )
