"""What the native core reports in numbers, told in ids and words by the functions of the readable tier."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypedDict, cast

from diorama.contracts.records import StepRecord
from diorama.snapshots import unpack_snapshot
from diorama.worlds.townlet.codes import ExitReason, word
from diorama.worlds.townlet.contract import SNAPSHOT_MAGIC, SNAPSHOT_VERSION
from diorama.worlds.townlet.events import EVENT_NAMES, Event, EventKind
from diorama.worlds.townlet.reference.names import agent_id, display_name, payload
from diorama.worlds.townlet.reference.opening import empty_town
from diorama.worlds.townlet.reference.state.kpis import RewardBreakdown
from diorama.worlds.townlet.reference.state.town import CustomName, Town
from diorama.worlds.townlet.reference.words import read_town
from diorama.worlds.townlet.render import render_state

if TYPE_CHECKING:
    from diorama import _native
    from diorama.contracts.values import JsonObject, JsonValue
    from diorama.worlds.townlet.config.simulation import TownletConfig
    from diorama.worlds.townlet.tables.town_tables import TownTables

_SEQUENCE_WORDS: Final = 3  # stand before the words of the town in a snapshot


class _CoreInfo(TypedDict):
    """What the core puts into `info`.

    Attributes:
        seats: Number, slot, option, and whether the citizen has just come; None for a free seat.
        exits: Seat, number and reason.
        events: Kind, tick, and the values of the kind.
        names: Number, id and shown name of citizens who were given one.
    """

    tick: int
    seats: list[tuple[int, int, int, bool] | None]
    exits: list[tuple[int, int, int]]
    invalid_action: list[bool]
    commit_enforced: list[bool]
    events: list[list[float]]
    names: list[tuple[int, str, str]]


class Teller:
    """Turns the numbers of native towns of one configuration into what the readable tier tells.

    Attributes:
        tables: Of the town.
        config: Its configuration.
        has_hooks: Whether hooks of modules run after every step.
        has_options: Whether options are chosen, rather than primitives.
    """

    def __init__(self, tables: TownTables, config: TownletConfig) -> None:
        """Know the names of a town."""
        self.tables = tables
        self.config = config
        self.has_hooks = bool(tables.custom_hooks)
        self.has_options = config.policy_runtime.action_level == "option"

    def told(self, fields: _native._StepRecordFields) -> StepRecord:
        """A step record with events, seats and exits in words."""
        town = self.tick_of(fields)
        return replace(StepRecord(**fields), event_data=_event_data(town), info=_told_info(town, _info_of(fields)))

    def tick_of(self, fields: _native._StepRecordFields) -> Town:
        """A town that has nothing but the names, the tick and the events of a step."""
        info = _info_of(fields)
        town = empty_town(self.tables, self.config, 0)
        town.tick = info["tick"] - 1
        town.custom_names = {number: CustomName(agent, shown) for number, agent, shown in info["names"]}
        town.events = [Event(EventKind(int(kind)), int(tick), tuple(values)) for kind, tick, *values in info["events"]]
        return town

    def town_of(self, batch: _native.NativeBatch, copy: int) -> Town:
        """A copy as the readable tier has it; what it does by older rules goes by the new ones here."""
        _, words = unpack_snapshot(batch.snapshot(copy), SNAPSHOT_MAGIC, SNAPSHOT_VERSION)
        return read_town(words[_SEQUENCE_WORDS:], self.tables, self.config)

    def render(self, batch: _native.NativeBatch, copy: int) -> JsonObject:
        """What a viewer needs to draw a copy."""
        town = self.town_of(batch, copy)
        fields = batch.step_record(copy)
        if _info_of(fields)["tick"] != town.tick:  # the step ended an episode, and another one has begun
            fields = batch.opening_record(copy)
        rewards = {
            seat: RewardBreakdown(total=fields["rewards"][seat], **terms)  # type: ignore[arg-type]  # terms are floats
            for seat, terms in enumerate(fields["reward_terms"])
            if terms
        }
        remaining = max(0, self.config.episode_ticks - town.tick)
        return render_state(
            town, time_remaining=remaining, rewards=rewards, event_data=_event_data(self.tick_of(fields))
        )


def _event_data(town: Town) -> dict[str, JsonObject]:
    records: dict[str, list[JsonValue]] = {}
    for event in town.events:
        records.setdefault(EVENT_NAMES[event.kind], []).append({"tick": event.tick, **payload(town, event)})
    return {name: {"records": rows} for name, rows in records.items()}


def _info_of(fields: _native._StepRecordFields) -> _CoreInfo:
    return cast("_CoreInfo", fields["info"])


def _told_info(town: Town, info: _CoreInfo) -> dict[str, JsonValue]:
    return {
        "tick": info["tick"],
        "seats": [
            None
            if row is None
            else {
                "agent_id": agent_id(town, row[0]),
                "display_name": display_name(town, row[0]),
                "embedding_slot": row[1],
                "option": row[2],
                "new_citizen": row[3],
            }
            for row in info["seats"]
        ],
        "exits": [
            {"seat": seat, "agent_id": agent_id(town, number), "exit_reason": word(ExitReason(reason))}
            for seat, number, reason in info["exits"]
        ],
        "invalid_action": info["invalid_action"],
        "commit_enforced": info["commit_enforced"],
    }
