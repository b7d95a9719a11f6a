"""Catalogue of the events that the services raise, in every world alike."""

from collections.abc import Mapping
from typing import Final

from diorama.contracts.errors import ContractError
from diorama.contracts.live.events import EventField, EventKind, LiveEvent, Priority
from diorama.contracts.values import JsonObject, JsonValue
from diorama.telemetry.live.event_schemas import may_be_null

_TEXT: Final[JsonObject] = {"type": "string"}
_NUMBER: Final[JsonObject] = {"type": "number"}
_TICK: Final[JsonObject] = {"type": "integer", "minimum": 0}
_TEXTS: Final[JsonObject] = {"type": "array", "items": {"type": "string"}}
_TEXT_OR_NULL: Final[JsonObject] = {"type": ["string", "null"]}
_OBJECT_OR_NULL: Final[JsonObject] = {"type": ["object", "null"]}
_HASH: Final[JsonObject] = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
_POLICY: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "policy_hash": _TEXT,
        "checkpoint": _TEXT,
        "config_id": _TEXT,
        "variant": _TEXT,
        "promoted_at": {"type": ["integer", "null"]},
    },
    "required": ["policy_hash", "checkpoint", "config_id", "variant", "promoted_at"],
}


def _kind(event: str, /, free_text: tuple[str, ...] = (), **fields: JsonObject) -> EventKind:
    listed = tuple(
        EventField(name=field, schema=schema, is_free_text=field in free_text) for field, schema in fields.items()
    )
    return EventKind(name=event, priority=Priority.P0, fields=listed)


def _of_alerts(name: str) -> EventKind:
    return _kind(name, alert=_TEXT, value=_NUMBER, threshold=_NUMBER)


def _of_policies(name: str) -> EventKind:
    shadow: JsonObject = {"anyOf": [_POLICY, {"type": "null"}]}
    return _kind(name, ("reason",), state=_TEXT, release=_POLICY, shadow=shadow, reason=_TEXT)


def _of_snapshots(name: str) -> EventKind:
    # Operators name what they save.
    return _kind(name, ("path",), path=_TEXT, tick=_TICK, state_hash=_HASH, migrations=_TEXTS)


SERVICE_EVENTS: Final = (
    _of_alerts("stability_alert_raised"),
    _of_alerts("stability_alert_cleared"),
    _of_policies("promotion_candidate_ready"),
    _of_policies("policy_promoted"),
    _of_policies("promotion_confirmed"),
    _of_policies("rollback_recommended"),
    _of_policies("policy_rolled_back"),
    _of_policies("policy_swapped"),
    _kind("config_reloaded", paths=_TEXTS, checksum_before=_TEXT, checksum_after=_TEXT),
    _kind("config_reload_rejected", reason=_TEXT, errors=_TEXTS),
    _of_snapshots("snapshot_saved"),
    _of_snapshots("snapshot_loaded"),
    _kind(
        "console_result",
        cmd_id=_TEXT_OR_NULL,
        name=_TEXT_OR_NULL,
        status={"enum": ["ok", "error"]},
        result=_OBJECT_OR_NULL,
        error=_OBJECT_OR_NULL,
        issuer=_TEXT_OR_NULL,
        tick=_TICK,
        latency_ms=_NUMBER,
        replayed={"type": "boolean"},
    ),
    _kind("loop_failure", tick=_TICK, stage={"type": "integer"}, error=_TEXT, snapshot_path=_TEXT_OR_NULL),
)

_BY_NAME: Final[Mapping[str, EventKind]] = {kind.name: kind for kind in SERVICE_EVENTS}


def service_event(name: str, at_tick: int, /, **fields: JsonValue) -> LiveEvent:
    """Make an event of the catalogue; fields that may be null may be left out.

    Raises:
        ContractError: There is no such event, or it has other fields.
    """
    if name not in _BY_NAME:
        raise ContractError(f"the services raise no event {name!r}; there are: {', '.join(_BY_NAME)}")
    kind = _BY_NAME[name]
    known = {field.name for field in kind.fields}
    needed = {field.name for field in kind.fields if not may_be_null(field.schema)}
    if not needed <= fields.keys() <= known:
        raise ContractError(f"{name} has the fields {', '.join(sorted(known))}; given were {', '.join(sorted(fields))}")
    return LiveEvent(name=name, tick=at_tick, priority=kind.priority, fields=fields)
