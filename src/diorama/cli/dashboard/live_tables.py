"""What the dashboard of a live world shows, as text."""

import re
from collections.abc import Mapping
from typing import Any, Final

from textual.widgets import DataTable

from diorama.cli.dashboard.texts import NOTHING, bar, number
from diorama.contracts.values import JsonObject, JsonValue

_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NEEDS: Final = ("hunger", "hygiene", "energy")
_CITIZEN_COLUMNS: Final = ("citizen", "does", *_NEEDS, "coins", "job")
_PLAIN_COLUMNS: Final = ("what", "value")
_SHOWN_ELSEWHERE: Final = ("scene", "map", "health", "transport", "stability", "promotion", "kpis")


def moment(message: Mapping[str, Any], blocks: JsonObject) -> str:
    """When it is, how fast it runs and how well it is heard."""
    health, transport = _block(blocks, "health"), _block(blocks, "transport")
    return (
        f"day {message['day'] + 1} · tick {message['tick']} · speed {health.get('speed', 'unknown')} · "
        f"{number(health.get('tick_ms'))} ms a tick · {number(transport.get('dropped', 0))} dropped · "
        f"schema {message['schema_version']}"
    )


def news(message: Mapping[str, Any]) -> list[str]:
    """The stories of a message, and events that must not be missed."""
    told = message.get("narrations", ())
    urgent = [event for event in message.get("events", ()) if event["priority"] == "P0"]
    stories = [f"{story['tick']:>6} {'!' if story['priority'] else ' '} {story['message']}" for story in told]
    return stories + [f"{event['tick']:>6} · {event['event'].replace('_', ' ')}" for event in urgent]


def kpis(blocks: JsonObject) -> str:
    """The numbers the world is judged by; a dash for one that is not known yet."""
    told = _block(blocks, "kpis")
    current = _block(told, "current")
    names = dict.fromkeys([*_block(told, "targets"), *current])
    return "\n".join(f"{name.replace('_', ' '):<24}{number(current.get(name)):>10}" for name in names) or "none"


def judgement(blocks: JsonObject) -> str:
    """Alerts that stand, and the policy that runs."""
    alerts = _block(_block(blocks, "stability"), "alerts")
    promotion = _block(blocks, "promotion")
    release = _block(promotion, "release").get("checkpoint", "unknown")
    raised = [f"! {name.replace('_', ' ')}" for name in alerts] or ["no alerts"]
    return "\n".join([*raised, f"policy {release}, {promotion.get('state', 'not judged')}"])


def fill(table: "DataTable[str]", blocks: JsonObject) -> None:
    """Show everybody in a town, or the plain numbers of any other world."""
    agents = _block(blocks, "agents")
    columns = _CITIZEN_COLUMNS if agents else _PLAIN_COLUMNS
    if tuple(str(column.label) for column in table.columns.values()) != columns:
        table.clear(columns=True)
        table.add_columns(*columns)
    table.clear()
    for row in _citizens(agents) if agents else _plain_rows(blocks):
        table.add_row(*row)


def _plain_rows(blocks: JsonObject) -> list[tuple[str, ...]]:
    return [
        (f"{name}.{key}", value if isinstance(value, str) else number(value))
        for name in blocks
        if name not in _SHOWN_ELSEWHERE
        for key, value in _block(blocks, name).items()
        if isinstance(value, str | int | float)
    ]


def _citizens(agents: JsonObject) -> list[tuple[str, ...]]:
    return [_citizen(agent) for agent in agents.values() if isinstance(agent, Mapping)]


def _citizen(agent: JsonObject) -> tuple[str, ...]:
    needs, job = _block(agent, "needs"), _block(agent, "job")
    doing = _block(agent, "running").get("affordance") or agent.get("option") or "waits"
    return (
        str(agent.get("name", "?")),
        _CAMEL.sub(" ", str(doing)).replace("_", " ").lower(),
        *(_need(needs.get(name)) for name in _NEEDS),
        number(agent.get("wallet")),
        f"{job.get('job_id', 'none')} {job.get('shift_state', '')}".strip(),
    )


def _need(value: JsonValue) -> str:
    return bar(value, 6) if isinstance(value, int | float) else NOTHING


def _block(value: JsonValue, name: str) -> JsonObject:
    found = value.get(name) if isinstance(value, Mapping) else None
    return found if isinstance(found, Mapping) else {}
