"""Captures goals by replaying actions, and checks that a trace reaches one."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import numpy as np

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import F32, U8, JsonObject
from diorama.worlds.gameboy.config import Start
from diorama.worlds.gameboy.envs.arrays import HOST
from diorama.worlds.gameboy.envs.goals.matching import DEFAULT_K_CONSECUTIVE, DEFAULT_TAU, distance_of
from diorama.worlds.gameboy.envs.goals.template import GoalMeta, GoalTemplate, picture_sha256
from diorama.worlds.gameboy.envs.pixels import halve, shade_distance
from diorama.worlds.gameboy.envs.replaying import Replayer, Setup

_BINS: Final = 20
_LAST: Final = 10  # distances of which the smallest gives the recommended tau
_MARGIN: Final = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class GateReport:
    """What came of replaying a trace against a goal.

    Attributes:
        reached_at: Step, from 0, at which the goal was reached; None where it was not.
        distances: After every step.
        last_picture: Shades of (72, 80).
    """

    reached_at: int | None
    distances: F32
    last_picture: U8

    @property
    def exit_code(self) -> int:
        """0 where the goal was reached, else 1."""
        return 0 if self.reached_at is not None else 1

    def calibration(self) -> JsonObject:
        """Spread of the distances and a threshold that the end of the trace stays under."""
        counts, _ = np.histogram(self.distances, bins=_BINS, range=(0.0, 1.0))
        return {
            "min": float(self.distances.min()),
            "max": float(self.distances.max()),
            "mean": float(self.distances.mean(dtype=np.float64)),
            "histogram": counts.tolist(),
            "recommended_tau": float(self.distances[-_LAST:].min()) + _MARGIN,
        }

    def write_failure(self, folder: Path) -> None:
        """Write the distance curve and the last picture, to see what went wrong."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "distances.json").write_text(json.dumps(self.distances.tolist()) + "\n", encoding="utf-8")
        np.save(folder / "last_picture.npy", self.last_picture, allow_pickle=False)


def capture_template(
    setup: Setup,
    start: Start,
    actions: Sequence[int] = (),
    *,
    stack_k: int = 1,
    whole_stack: bool = False,
    tau: float = DEFAULT_TAU,
    k_consecutive: int = DEFAULT_K_CONSECUTIVE,
) -> GoalTemplate:
    """Replay a start and actions and take the last picture, or the last `stack_k` of them, as a goal."""
    replayer = Replayer(setup, start.memory)
    replayer.run(start.actions)
    stack = [halve(replayer.picture)] * stack_k
    for picture in replayer.play(actions):
        stack = [*stack[1:], halve(picture)]
    goal = np.stack(stack) if whole_stack else stack[-1].copy()
    meta = GoalMeta(
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        rom_sha256=setup.rom.sha256,
        rom_name=setup.rom.name,
        state_sha256=sha256(replayer.lanes.snapshot(0)).hexdigest(),
        actions_sha256=actions_sha256([*start.actions, *actions]),
        action_codec_id=setup.action_codec_id,
        frames_per_step=setup.schedule.frames_per_step,
        release_after_frames=setup.schedule.release_after_frames,
        stack_k=stack_k,
        tau=tau,
        k_consecutive=k_consecutive,
        template_sha256=picture_sha256(goal),
    )
    return GoalTemplate(picture=goal, meta=meta)


def replay_gate(setup: Setup, start: Start, actions: Sequence[int], template: GoalTemplate) -> GateReport:
    """Replay a trace as an episode would and tell whether the template's own threshold finds the goal."""
    if not actions:
        raise ConfigError("the trace has no actions; a goal is looked for after a step")
    replayer = Replayer(setup, start.memory)
    replayer.run(start.actions)
    stack = [halve(replayer.picture)] * template.meta.stack_k
    distances, consecutive, reached_at = [], 0, None
    for step, picture in enumerate(replayer.play(actions)):
        stack = [*stack[1:], halve(picture)]
        distances.append(distance_to(template.picture, stack))
        consecutive = consecutive + 1 if distances[-1] < np.float32(template.meta.tau) else 0
        if reached_at is None and consecutive >= template.meta.k_consecutive:
            reached_at = step
    return GateReport(reached_at=reached_at, distances=np.array(distances, np.float32), last_picture=stack[-1].copy())


def distance_to(goal: U8, stack: Sequence[U8]) -> np.float32:
    """Distance of a lane's pictures, oldest first, from a goal of one picture or of all of them."""
    seen = stack[-1] if goal.ndim == 2 else np.stack(stack)
    total = shade_distance(np.ascontiguousarray(seen)[None], goal)
    distance: np.float32 = distance_of(total, goal.size, HOST)[0]
    return distance


def actions_sha256(actions: Sequence[int]) -> str:
    """Hash of a trace as `actions.jsonl` would hold it: a list of one integer a line; empty for no actions."""
    return sha256("".join(f"[{action}]\n" for action in actions).encode()).hexdigest() if actions else ""
