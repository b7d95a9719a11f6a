"""What happened in a live world, in lines."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from diorama.cli.dashboard.texts import NOTHING, number, plain
from diorama.contracts.values import JsonObject, JsonValue

_FRAME: Final = frozenset({"event", "tick", "seq_in_tick", "priority"})
_URGENT: Final = "P0"
_MINOR: Final = "P2"
_FIELDS_SHOWN: Final = 5
_LIST_SHOWN: Final = 4


def news(message: Mapping[str, Any], agents: JsonObject) -> list[Text]:
    """The stories of a message, and its events: in a town, which tells stories, only those that must not be missed."""
    events = message.get("events", ())
    shown = [event for event in events if event["priority"] == _URGENT or (not agents and event["priority"] != _MINOR)]
    return [*map(_story, message.get("narrations", ())), *(_happening(event, agents) for event in shown)]


def event_text(event: JsonObject, agents: JsonObject) -> str:
    """An event in a line or two: its name, then what it says first; whoever has a name is called by it."""
    if event.get("event") == "console_result":
        return _command_text(event)
    fields = [(name, value) for name, value in event.items() if name not in _FRAME and _is_short(value)]
    told = [f"{plain(name.removesuffix('_id'))} {_value_text(value, agents)}" for name, value in fields]
    return " · ".join([plain(str(event.get("event"))).lower(), *told[:_FIELDS_SHOWN]])


def _is_short(value: JsonValue) -> bool:
    """Whether a value says something in a few words: tables and long lists do not, nor does nothing."""
    if value is None or isinstance(value, Mapping):
        return False
    return isinstance(value, str) or not isinstance(value, Sequence) or len(value) <= _LIST_SHOWN


def _story(story: Mapping[str, Any]) -> Text:
    return Text(f"{story['tick']:>7}  {story['message']}", style="bold" if story["priority"] else "")


def _happening(event: JsonObject, agents: JsonObject) -> Text:
    return Text(f"{event['tick']:>7}  {event_text(event, agents)}", style="dim")


def _command_text(event: JsonObject) -> str:
    error = event.get("error")
    outcome = "done" if event.get("status") == "ok" else str(error.get("code") if isinstance(error, Mapping) else "?")
    return f"{event.get('issuer') or 'somebody'} gave {event.get('name')}: {outcome}"


def _value_text(value: JsonValue, agents: JsonObject) -> str:
    if isinstance(value, str):
        agent = agents.get(value)
        return str(agent.get("name", value)) if isinstance(agent, Mapping) else plain(value)
    if isinstance(value, Sequence):
        return ", ".join(_value_text(item, agents) for item in value) or NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value)
