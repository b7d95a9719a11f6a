"""What the commands of this world print: episodes, groups, cohorts and seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from rich.box import SIMPLE
from rich.table import Table

from diorama.worlds.morphogenesis.contracts.stages import SeedStage

if TYPE_CHECKING:  # tables of what is recorded need no torch
    from diorama.contracts.values import JsonObject, JsonValue
    from diorama.worlds.morphogenesis.comparison.bootstrap import Interval
    from diorama.worlds.morphogenesis.comparison.summary import GroupSummary
    from diorama.worlds.morphogenesis.rounds.running import PlayedEpisode, PlayedRun

NOTHING: Final = "—"
SHORT_STAGES: Final[Mapping[SeedStage, str]] = {
    SeedStage.DORMANT: NOTHING,
    SeedStage.GERMINATED: "Germ",
    SeedStage.TRAINING: "Train",
    SeedStage.BLENDING: "Blend",
    SeedStage.HOLDING: "Hold",
    SeedStage.FOSSILIZED: "Foss",
    SeedStage.PRUNED: "Prune",
    SeedStage.EMBARGOED: "Embar",
    SeedStage.RESETTING: "Reset",
}


def number(value: float | None, digits: int = 1, *, sign: bool = False) -> str:
    """Write a number, and a dash for what was not measured."""
    return NOTHING if value is None else f"{value:{'+' if sign else ''}.{digits}f}"


def percent(value: float | None) -> str:
    """Write a number that counts percent, and a dash for what was not measured."""
    return NOTHING if value is None else f"{value:.1f}%"


def interval(found: Interval | None) -> str:
    """Write a mean with its 95% interval."""
    return NOTHING if found is None else f"{found.mean:+.2f} ({found.low:+.2f} to {found.high:+.2f})"


def episode_table(run: PlayedRun, slot_ids: Sequence[str]) -> Table:
    """Return one line per episode."""
    table = Table(title=f"{run.controller}: episodes", box=SIMPLE, title_justify="left")
    for heading in (
        "round",
        "env",
        "accuracy",
        "control",
        "gain",
        "late gain",
        "params",
        "reward",
        "planted",
        "permanent",
    ):
        table.add_column(heading, justify="right")
    for slot_id in slot_ids:
        table.add_column(slot_id, no_wrap=True)
    for episode in run.episodes:
        result = episode.result
        table.add_row(
            str(result.round_index + 1),
            str(result.env_id),
            number(result.final_accuracy),
            number(result.control_accuracy),
            number(result.gain_over_control, sign=True),
            number(episode.late_gain, sign=True),
            f"{result.param_ratio:.2f}x",
            number(episode.episode_reward, 2, sign=True),
            str(episode.planted),
            str(result.num_fossilized),
            *_slots(episode),
        )
    return table


def group_table(groups: Sequence[tuple[str, GroupSummary]], *, called: str) -> Table:
    """Return one line per group, whose names are `called` so; differences are to the first."""
    table = Table(title="comparison", box=SIMPLE, title_justify="left")
    for heading in ("group", called):
        table.add_column(heading, no_wrap=True)
    for heading in (
        "episodes",
        "accuracy",
        "gain",
        "params",
        "gain per log growth",
        "permanent",
        "pruned",
        "rollbacks",
    ):
        table.add_column(heading, justify="right")
    table.add_column("accuracy against A, 95%", justify="right", no_wrap=True)
    for name, group in groups:
        table.add_row(
            group.group_id,
            name,
            str(group.episodes),
            number(group.mean_final_accuracy),
            number(group.gain_over_control, sign=True),
            f"{group.mean_param_ratio:.2f}x",
            number(group.accuracy_roi, 2),
            str(group.num_fossilized),
            str(group.num_pruned),
            str(group.rollbacks),
            interval(group.difference),
        )
    return table


def counts_table(title: str, headings: Sequence[str], lines: Sequence[Sequence[str]]) -> Table:
    """Return a plain table; everything but the first column is set to the right."""
    table = Table(title=title, box=SIMPLE, title_justify="left")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left", no_wrap=place == 0)
    for line in lines:
        table.add_row(*line)
    return table


def run_json(run: PlayedRun, config: JsonObject) -> JsonObject:
    """Return a played run as a document."""
    episodes: list[JsonValue] = [
        {
            "round": episode.result.round_index,
            "env_id": episode.result.env_id,
            "final_accuracy": episode.result.final_accuracy,
            "control_accuracy": episode.result.control_accuracy,
            "gain_over_control": episode.result.gain_over_control,
            "late_accuracy": episode.late_accuracy,
            "late_gain": episode.late_gain,
            "param_ratio": episode.result.param_ratio,
            "num_fossilized": episode.result.num_fossilized,
            "planted": episode.planted,
            "pruned": episode.result.prune_count,
            "rollbacks": episode.result.rollbacks,
            "episode_reward": episode.episode_reward,
            "stages": [stage.name for stage in episode.stages],
            "blueprints": list(episode.blueprints),
            "accuracies": list(episode.accuracies),
        }
        for episode in run.episodes
    ]
    return {
        "controller": run.controller,
        "config": config,
        "actions": dict(run.tally.action_counts),
        "episodes": episodes,
    }


def _slots(episode: PlayedEpisode) -> list[str]:
    return [
        SHORT_STAGES[stage] if blueprint is None else f"{SHORT_STAGES[stage]}:{blueprint}"
        for stage, blueprint in zip(episode.stages, episode.blueprints, strict=True)
    ]
