"""When it is in a live world, how it is judged and who decides, as text."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final

from rich.text import Text

from diorama.cli.dashboard.texts import NOTHING, number, plain
from diorama.contracts.live.kpis import Band, KpiTarget
from diorama.contracts.spec import Better
from diorama.contracts.values import JsonObject, JsonValue

_MINUTES_PER_DAY: Final = 1440
_TITLE_WIDTH: Final = 22
_NUMBER_WIDTH: Final = 8
_STYLES: Final[Mapping[Band, str]] = {Band.GOOD: "green", Band.AMBER: "yellow", Band.RED: "bold red"}


def moment(message: Mapping[str, Any], blocks: JsonObject) -> str:
    """When it is, how fast it runs and how well it is heard."""
    health, transport = block(blocks, "health"), block(blocks, "transport")
    parts = [
        *_time(message, block(blocks, "map").get("ticks_per_day")),
        f"tick {message['tick']:,}",
        f"speed {health.get('speed', 'unknown')}",
        f"{number(health.get('tick_ms'))} ms a tick",
        f"{number(transport.get('spectators', 0))} watching",
        f"{number(transport.get('dropped', 0))} dropped",
        f"schema {message['schema_version']}",
    ]
    return " · ".join([*parts, "private"] if transport.get("privacy") else parts)


def kpis(blocks: JsonObject) -> Text:
    """The numbers the world is judged by, with their targets; a dash for one that is not known yet."""
    told = block(blocks, "kpis")
    current, targets = block(told, "current"), block(told, "targets")
    names = dict.fromkeys([*targets, *current])
    if not names:
        return Text("this world is not judged by numbers", style="dim")
    head = (
        [Text(f"{'':<{_TITLE_WIDTH}}{'now':>{_NUMBER_WIDTH}}{'target':>{_NUMBER_WIDTH}}", style="dim")]
        if targets
        else []
    )
    return Text("\n").join([*head, *(_kpi(name, current.get(name), block(targets, name)) for name in names)])


def judgement(blocks: JsonObject) -> Text:
    """Alerts that stand, and the policies."""
    stability, promotion = block(blocks, "stability"), block(blocks, "promotion")
    measured = block(stability, "metrics")
    alerts = [_alert(name, block(measured, name)) for name in block(stability, "alerts")]
    shadow = block(promotion, "shadow")
    streak = f"{number(promotion.get('streak', 0))} of {number(promotion.get('required_passes'))} windows passed"
    return Text("\n").join(
        [
            *(alerts or [Text("no alerts", style="green")]),
            Text(f"release    {_policy(block(promotion, 'release'))}"),
            *([Text(f"candidate  {_policy(shadow)}, {streak}")] if shadow else []),
            Text(f"promotion  {plain(str(promotion.get('state', 'not judged')))}"),
        ]
    )


def block(value: JsonValue, name: str) -> JsonObject:
    """A part of a state; empty where there is none."""
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _time(message: Mapping[str, Any], ticks_per_day: JsonValue) -> list[str]:
    """Day and time of day, in worlds that have them."""
    if not isinstance(ticks_per_day, int) or ticks_per_day < 1:
        return []
    minutes = message["tod"] * _MINUTES_PER_DAY // ticks_per_day
    return [f"day {message['day'] + 1}, {minutes // 60:02}:{minutes % 60:02}"]


def _kpi(name: str, value: JsonValue, told: JsonObject) -> Text:
    title = str(told.get("title", plain(name).capitalize()))[: _TITLE_WIDTH - 1]
    target = number(told["target"]) if "target" in told else ""
    line = Text(f"{title:<{_TITLE_WIDTH}}")
    line.append(f"{number(value):>{_NUMBER_WIDTH}}", style=_style(value, told))
    return line.append(f"{target:>{_NUMBER_WIDTH}}", style="dim")


def _style(value: JsonValue, told: JsonObject) -> str:
    bounds = [told.get(name) for name in ("target", "amber", "red")]
    numbers = [float(bound) for bound in bounds if isinstance(bound, int | float)]
    if not isinstance(value, int | float) or len(numbers) < len(bounds):
        return ""
    target, amber, red = numbers
    judged = KpiTarget(
        key="",
        title="",
        better=Better(str(told.get("better"))),
        target=target,
        amber=amber,
        red=red,
        at=bool(told.get("at")),
    )
    return _STYLES[judged.band(value)]


def _alert(name: str, measured: JsonObject) -> Text:
    bound = f", threshold {number(measured['threshold'])}" if "threshold" in measured else ""
    value = f": {number(measured['value'])}{bound}" if "value" in measured else ""
    return Text(f"! {plain(name)}{value}", style="bold red")


def _policy(pointer: JsonObject) -> str:
    """A script by its name, a checkpoint by its run and its file."""
    parts = PurePath(str(pointer.get("checkpoint", NOTHING))).parts
    return parts[0] if len(parts) == 1 else f"{parts[-3] if len(parts) >= 3 else parts[0]} {PurePath(parts[-1]).stem}"
