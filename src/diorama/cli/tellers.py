"""Two ways of telling an episode: columns for people, JSON lines for programs."""

import json
from dataclasses import dataclass
from typing import Protocol

import typer

from diorama.cli.counting import counted
from diorama.cli.narration import action_words, decision_label, events_words, value_words
from diorama.contracts.records import StepRecord
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import JsonObject
from diorama.engine.batch import Batch

_REWARD_WIDTH = 10
_METRIC_WIDTH = 12
_WIDEST_ACTION = 72  # columns; what is longer moves the columns after it


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A step as a teller sees it; `tick` is the simulated time after it."""

    step: int
    tick: int
    record: StepRecord
    has_ended: bool


class Teller(Protocol):
    """Tells an episode to stdout."""

    def begin(self, batch: Batch, bot: str) -> None:
        """Tell who plays what."""

    def step(self, told: Told) -> None:
        """Tell a step."""

    def end(self, told: Told) -> None:
        """Tell how it came out; `told` is the last step."""


class TextTeller:
    """One line per step and seat, then the metrics."""

    def __init__(self, spec: WorldSpec) -> None:
        """Lay the columns out."""
        self._spec = spec
        widths = [max(len(option) for option in head.options) for head in spec.heads]
        self._action_width = min(sum(widths) + len(" + ") * (len(widths) - 1), _WIDEST_ACTION)
        self._taken: set[int] = set()

    def begin(self, batch: Batch, bot: str) -> None:
        """Print the title and the heads of the columns."""
        typer.echo(
            f"{self._spec.interface_version}: bot {bot}, seed {batch.episode_seed(0)}, {batch.tier_selected.value} tier"
        )
        headline = "".join(f"  {key:>{_METRIC_WIDTH}}" for key in self._spec.headline)
        seat = "  seat" if self._spec.agents > 1 else ""
        typer.echo(
            f"{'step':>6}  {'tick':>7}{seat}  {'action':{self._action_width}}  {'dt':>4}  "
            f"{'reward':>{_REWARD_WIDTH}}{headline}  events"
        )

    def step(self, told: Told) -> None:
        """Print a line for every seat that somebody has or had; the events of the copy stand in the first."""
        self._taken.update(seat for seat, decision in enumerate(told.record.received) if decision is not None)
        for place, seat in enumerate(self._shown_seats()):
            events = events_words(told.record) if place == 0 else ""
            typer.echo(self._line(told, seat, events).rstrip())

    def end(self, told: Told) -> None:
        """Print every metric and why the episode ended."""
        typer.echo(f"\n{end_words(told)} after {counted(told.step + 1, 'decision')} and {counted(told.tick, 'tick')}")
        width = max(len(metric.label) for metric in self._spec.metrics)
        for seat in self._shown_seats():
            if self._spec.agents > 1:
                typer.echo(f"seat {seat}")
            for metric, value in zip(self._spec.metrics, told.record.metrics[seat], strict=True):
                typer.echo(f"  {metric.label:{width}}  {value_words(value):>14} {metric.unit}".rstrip())

    def _shown_seats(self) -> list[int]:
        """Seats that decided something; the first where none did."""
        return sorted(self._taken) or [0]

    def _line(self, told: Told, seat: int, events: str) -> str:
        record = told.record
        metrics = dict(zip(self._spec.metric_keys, record.metrics[seat], strict=True))
        headline = "".join(f"  {value_words(metrics[key]):>{_METRIC_WIDTH}}" for key in self._spec.headline)
        place = f"  {seat:>4}" if self._spec.agents > 1 else ""
        return (
            f"{told.step:>6}  {told.tick:>7}{place}  {action_words(self._spec, record, seat):{self._action_width}}  "
            f"{record.dt:>4}  {record.rewards[seat]:>{_REWARD_WIDTH}.4f}{headline}  {events}"
        )


class JsonTeller:
    """One JSON object per line, told apart by `kind`: `begin`, `step`, `end`."""

    def __init__(self, spec: WorldSpec) -> None:
        """Take note of the names."""
        self._spec = spec

    def begin(self, batch: Batch, bot: str) -> None:
        """Print what was played."""
        _print(
            {
                "kind": "begin",
                "world": self._spec.world,
                "interface_version": self._spec.interface_version,
                "bot": bot,
                "seed": batch.episode_seed(0),
                "tier": batch.tier_selected.value,
                "config_hash": batch.config_hash,
            }
        )

    def step(self, told: Told) -> None:
        """Print a step."""
        record = told.record
        _print(
            {
                "kind": "step",
                "step": told.step,
                "tick": told.tick,
                "dt": record.dt,
                "seats": [self._seat(record, seat) for seat in range(self._spec.agents)],
                "events": list(record.events),
                "event_data": record.event_data,
                "info": record.info,
            }
        )

    def end(self, told: Told) -> None:
        """Print the outcome."""
        _print({"kind": "end", "reason": end_words(told), "decisions": told.step + 1, "ticks": told.tick})

    def _seat(self, record: StepRecord, seat: int) -> JsonObject:
        return {
            "action": decision_label(self._spec, record.received[seat]),
            "effective_action": decision_label(self._spec, record.effective[seat]),
            "reward": record.rewards[seat],
            "reward_terms": record.reward_terms[seat],
            "metrics": dict(zip(self._spec.metric_keys, record.metrics[seat], strict=True)),
            "terminated": record.terminated[seat],
            "truncated": record.truncated[seat],
        }


def end_words(told: Told) -> str:
    """Say why an episode ended, in the world's own word where it has one."""
    if not told.has_ended:
        return "stopped"
    reason = told.record.info.get("end_reason")
    if isinstance(reason, str):
        return reason
    return "terminated" if any(told.record.terminated) else "truncated"


def _print(document: JsonObject) -> None:
    typer.echo(json.dumps(document, allow_nan=False))
