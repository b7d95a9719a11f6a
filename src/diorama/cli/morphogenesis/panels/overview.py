"""The upper half of the dashboard: header, anomaly strip, environment table and scoreboard."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from rich.table import Table
from rich.text import Text

from diorama.cli.morphogenesis.panels.texts import (
    LEVEL_STYLES,
    STATUS_STYLES,
    age,
    cell,
    clock,
    group_dot,
    slot_cell,
    spark,
)
from diorama.cli.morphogenesis.tables import NOTHING, SHORT_STAGES, number, percent
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.views.judging import Level, worst
from diorama.worlds.morphogenesis.views.pictures import EnvPicture, EpisodePicture, LogLine, RunPicture

ALL_CLEAR: Final = "ALL CLEAR"
FLASH_S: Final = 5.0
SEVERITY_STYLES: Final = {
    "debug": "dim",
    "info": "",
    "warning": "yellow",
    "error": "red",
    "critical": "bold red",
}
GRAVE: Final = frozenset({"rolled back", "degraded", "policy trouble", "memory"})
ENV_HEADS: Final = ("env", "ep", "acc", "Σrew", "loss", "gain", "syn", "growth", "rew", "accuracy", "rewards", "Δacc")
ENV_TAIL: Final = ("Σc", "rent")
ENV_END: Final = ("last action", "mom", "status", "age")
SCORE_HEADS: Final = ("", "ep", "env", "at", "peak", "trajectory", "growth", "reward", "seeds")


def header_line(picture: RunPicture, now: datetime) -> Text:
    """Say where the run stands, how fast it goes and how fresh this is."""
    run = picture.run
    if run is None:
        return Text("waiting for the first events …", style="dim")
    heard = None if picture.last_event_at is None else max(0.0, (now - picture.last_event_at).total_seconds())
    parts = (
        Text(run.task, style="bold"),
        Text(f"round {picture.round}/{run.max_batches}"),
        Text(f"epoch {picture.epoch}/{run.max_epochs}"),
        Text(clock(picture.elapsed_s)),
        Text(f"{number(picture.epochs_per_s)} epochs/s, {number(picture.samples_per_s, 0)} samples/s"),
        Text(f"best {percent(picture.best_accuracy)}"),
        Text(run.env_devices[0] if run.env_devices else NOTHING),
        group_dot(picture.groups, picture.group_id),
        Text.assemble("heard ", age(heard), " ago"),
        Text(f"{picture.dropped} dropped", style="yellow" if picture.dropped else ""),
    )
    return Text(" · ").join(parts)


def anomaly_strip(picture: RunPicture) -> Text:
    """Say in one line what is wrong, in the color of the worst of it."""
    if not picture.anomalies:
        return Text(ALL_CLEAR, style="green")
    told = ", ".join(f"{count} {name}" for name, count in picture.anomalies.items())
    levels: tuple[Level, ...] = tuple("critical" if name in GRAVE else "warning" for name in picture.anomalies)
    return Text(told, style=LEVEL_STYLES[worst(levels)])


def env_columns(picture: RunPicture) -> tuple[str, ...]:
    """Return the headings of the environment table, a column per slot among them."""
    slots = () if picture.run is None else picture.run.slot_ids
    return (*ENV_HEADS, *ENV_TAIL, *slots, *ENV_END)


def env_table(picture: RunPicture, now: datetime, *, wanted: str = "", chosen: int | None = None) -> Table:
    """Return one row per env that a filter leaves, the chosen one marked."""
    table = _table(*env_columns(picture))
    for env in shown_envs(picture, wanted):
        table.add_row(*env_row(env, now), style="on grey23" if env.env_id == chosen else "")
    return table


def score_table(picture: RunPicture, chosen: int | None = None) -> Table:
    """Return the best episodes and the worst, the chosen line marked."""
    table = _table(*SCORE_HEADS)
    for place, row in enumerate(score_rows(picture)):
        table.add_row(*row, style="on grey23" if place == chosen else "")
    return table


def log_text(picture: RunPicture, wanted: str = "", lines: int | None = None) -> Text:
    """Return the event log, newest first, with the lines whose words or env a filter leaves."""
    kept = [line for line in reversed(picture.log) if _matches(line, wanted.lower())][:lines]
    return Text("\n").join(_log_line(line) for line in kept) if kept else Text("nothing to tell", style="dim")


def env_row(env: EnvPicture, now: datetime) -> tuple[Text, ...]:
    """Return one env; its number flashes for a while after a rollback."""
    is_fresh = env.rolled_back_at is not None and (now - env.rolled_back_at).total_seconds() < FLASH_S
    return (
        Text(str(env.env_id), style="reverse red" if is_fresh else ""),
        Text(NOTHING if env.episode is None else str(env.episode)),
        cell(env.accuracy),
        cell(env.episode_reward, 2, sign=True),
        cell(env.loss, 3),
        cell(env.gain, sign=True),
        cell(env.synergy, sign=True),
        cell(env.growth, 2, signal="growth", unit="x"),
        cell(env.last_reward, 2, sign=True),
        spark(env.accuracies),
        spark(env.rewards),
        cell(env.accuracy_delta, sign=True),
        cell(env.contribution, sign=True),
        cell(env.rent, 2),
        *(slot_cell(slot) for slot in env.slots),
        last_action(env),
        cell(env.momentum, 2, sign=True),
        Text(env.status, style=STATUS_STYLES[env.status]),
        age(max(0.0, (now - env.updated_at).total_seconds())),
    )


def last_action(env: EnvPicture) -> Text:
    """Return what was decided last, struck out where it was refused."""
    decision = env.last_decision
    if decision is None:
        return Text(NOTHING, style="dim")
    words = decision.action_name if decision.slot_id is None else f"{decision.action_name} {decision.slot_id}"
    return Text(words, style="" if decision.action_success else "strike red")


def shown_envs(picture: RunPicture, wanted: str) -> tuple[EnvPicture, ...]:
    """Return the envs a filter leaves: all, the one of a number, or those whose status has the text."""
    if not wanted:
        return picture.envs
    if wanted.isdecimal():
        return tuple(env for env in picture.envs if env.env_id == int(wanted))
    return tuple(env for env in picture.envs if wanted.lower() in env.status)


def score_rows(picture: RunPicture) -> list[tuple[Text, ...]]:
    """Return the best episodes and the worst, each marked."""
    return [
        *(_score_row("▲", episode) for episode in picture.best_episodes),
        *(_score_row("▼", episode) for episode in picture.worst_episodes),
    ]


def scored(picture: RunPicture) -> Sequence[EpisodePicture]:
    """Return the episodes of the scoreboard, line by line."""
    return (*picture.best_episodes, *picture.worst_episodes)


def _matches(line: LogLine, wanted: str) -> bool:
    if wanted.isdecimal():
        return line.env_id == int(wanted)
    return wanted in f"{line.kind} {line.severity} {line.text}".lower()


def _log_line(line: LogLine) -> Text:
    where = "" if line.env_id is None else f"env {line.env_id} "
    kind = line.kind.replace("_", " ")
    return Text(f"{line.at:%H:%M:%S} {where}{kind}: {line.text}", style=SEVERITY_STYLES[line.severity])


def _table(*headings: str) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold underline")
    for heading in headings:
        table.add_column(heading, no_wrap=True)
    return table


def _score_row(mark: str, episode: EpisodePicture) -> tuple[Text, ...]:
    stages = "  ".join(f"{SHORT_STAGES[SeedStage[name]]} {count}" for name, count in episode.stages.items())
    return (
        Text(mark, style="green" if mark == "▲" else "red"),
        Text(str(episode.episode)),
        Text(str(episode.env_id)),
        Text(f"t{episode.peak_epoch}"),
        cell(episode.peak),
        spark(episode.accuracies),
        cell(episode.growth, 2, signal="growth", unit="x"),
        cell(episode.reward, 2, sign=True),
        Text(stages or NOTHING),
    )
