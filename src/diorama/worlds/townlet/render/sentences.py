"""Sentences for what happens in a town. Kinds without one are too small to be told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.tables.town_tables import TownTables

_PRICE_WORDS: Final = {
    "meal_cost": "meals",
    "ingredients_cost": "groceries",
    "shower_cost": "showers",
    "rent_per_day": "rent",
}
_DONE_WORDS: Final = {
    "use_shower": "took a shower",
    "eat_meal": "ate a meal",
    "cook_meal": "cooked a meal",
    "rest_sleep": "slept well",
    "buy_groceries": "bought groceries",
    "sit_bench": "rested on a bench",
}
_LEFT_WORDS: Final = {
    "killed": "was taken out of town",
    "faint": "fainted of hunger and left town",
    "eviction": "could not pay the rent and left town",
    "unemployment": "lost the job and left town",
    "neglect": "was neglected and left town",
    "age_out": "left town of old age",
}
_FAIL_WORDS: Final = {
    "released": "gave up",
    "timeout": "took too long at",
    "ghost_step": "lost the turn at",
    "utility_outage": "was stopped by the outage at",
}
_LACK_WORDS: Final = {"hunger": "hungry", "hygiene": "dirty", "energy": "tired"}
_BEFELL_WORDS: Final = {
    "price_spike": "Prices rise",
    "blackout": "The power is out",
    "outage": "The water is out",
    "arranged_meet": "A meeting is arranged",
}
_OVER_WORDS: Final = {
    "price_spike": "Prices are back to normal",
    "blackout": "The power is back",
    "outage": "The water is back",
    "arranged_meet": "The time to meet is over",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Teller:
    """Knows everybody's name, by id, and what things are called."""

    names: Mapping[str, str]
    tables: TownTables

    def name(self, record: JsonObject, key: str = "agent_id") -> str:
        """Name of the citizen a record speaks of."""
        who = record[key]
        return "Somebody" if who is None else self.names.get(str(who), str(who))

    def everybody(self, record: JsonObject, key: str) -> str:
        """Names of a group, joined."""
        members = record[key]
        named = [self.names.get(str(who), str(who)) for who in members] if isinstance(members, list) else []
        return " and ".join(named) if len(named) < 3 else f"{', '.join(named[:-1])} and {named[-1]}"

    def thing(self, record: JsonObject) -> str:
        """Where an object is, such as `the shower in the gym`."""
        row = next((row for row in self.tables.objects if row.id == record["object_id"]), None)
        if row is None:
            return _plain(record["object_id"])
        kind = self.tables.types[row.type]
        return f"the {kind}" if row.zone < 0 else f"the {kind} in {zone_words(self.tables.map.zones[row.zone].id)}"


Sentence = Callable[[Teller, JsonObject], str]


def zone_words(zone_id: str) -> str:
    """What a zone is called in a sentence: `home_1` is home 1, `cafe` is the cafe."""
    words = zone_id.replace("_", " ")
    return words if any(letter.isdigit() for letter in words) else f"the {words}"


def _plain(value: JsonValue) -> str:
    return str(value).replace("_", " ")


def _came(tell: Teller, record: JsonObject) -> str:
    work = "" if record["job_id"] is None else f" to work as {_plain(record['job_id'])}"
    return f"{tell.name(record)} comes to town{work}"


def _done(tell: Teller, record: JsonObject) -> str:
    done = _DONE_WORDS.get(str(record["affordance_id"]), f"is done with {_plain(record['affordance_id'])}")
    return f"{tell.name(record)} {done}"


def _failed(tell: Teller, record: JsonObject) -> str:
    how = _FAIL_WORDS.get(str(record["reason"]), "could not go on at")
    return f"{tell.name(record)} {how} {tell.thing(record)}"


def _quarrel(tell: Teller, record: JsonObject) -> str:
    actor, rival = tell.name(record, "actor"), tell.name(record, "rival")
    if record["reason"] == "ghost_step":
        return f"{rival} pushed past {actor} at {tell.thing(record)}"
    return f"{actor} and {rival} fell out over {tell.thing(record)}"


def _favour(tell: Teller, record: JsonObject) -> str:
    how = "gave way to" if record["variant"] == "yield" else "waited for"
    return f"{tell.name(record, 'actor')} {how} {tell.name(record, 'other')} at {tell.thing(record)}"


def _held_back(tell: Teller, record: JsonObject) -> str:
    what = "a talk with" if record["reason"] == "chat_rival" else "a queue with"
    return f"{tell.name(record)} kept out of {what} {tell.name(record, 'target_agent')}"


def _priced(_: Teller, record: JsonObject) -> str:
    what = _PRICE_WORDS.get(str(record["key"]), _plain(record["key"]))
    return f"The price of {what} is {_number(record['value']):.2f}"


def _befell(tell: Teller, record: JsonObject) -> str:
    kind, targets = str(record["kind"]), record["targets"]
    what = _BEFELL_WORDS.get(kind, _plain(kind))
    if kind == "price_spike" and isinstance(targets, list):
        goods = " and ".join(_PRICE_WORDS.get(str(key), _plain(key)) for key in targets)
        return f"{what}: {goods} cost {_number(record['magnitude']):.2f} times as much"
    return f"{what}: {tell.everybody(record, 'targets')}" if kind == "arranged_meet" else what


def _number(value: JsonValue) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number of a record")
    return float(value)


def _percent(value: JsonValue) -> str:
    return f"{100.0 * _number(value):.0f} %"


SENTENCES: Final[Mapping[EventKind, Sentence]] = {
    EventKind.AGENT_SPAWN: _came,
    EventKind.AGENT_EXIT: lambda tell, record: f"{tell.name(record)} {_LEFT_WORDS[str(record['reason'])]}",
    EventKind.EXIT_DEFERRED: lambda tell, record: f"{tell.name(record)} may stay for now: {_plain(record['reason'])}",
    EventKind.AGENT_NEAR_DEATH: lambda tell, record: f"{tell.name(record)} is about to faint",
    EventKind.AGENT_FAINTED: lambda tell, record: f"{tell.name(record)} fainted",
    EventKind.NEED_CRITICAL: lambda tell, record: f"{tell.name(record)} is very {_LACK_WORDS[str(record['need'])]}",
    EventKind.AFFORDANCE_FINISH: _done,
    EventKind.AFFORDANCE_FAIL: _failed,
    EventKind.QUEUE_TIMEOUT: lambda tell, record: f"{tell.name(record)} waited too long for {tell.thing(record)}",
    EventKind.QUEUE_CONFLICT: _quarrel,
    EventKind.QUEUE_INTERACTION: _favour,
    EventKind.GHOST_STEP: lambda tell, record: f"{tell.name(record)} squeezed past {tell.name(record, 'other_id')}",
    EventKind.CHAT_SUCCESS: lambda tell, record: (
        f"{tell.name(record, 'speaker')} had a good talk with {tell.name(record, 'listener')}"
    ),
    EventKind.CHAT_FAILURE: lambda tell, record: (
        f"{tell.name(record, 'speaker')} did not get on with {tell.name(record, 'listener')}"
    ),
    EventKind.SHARED_MEAL: lambda tell, record: f"{tell.everybody(record, 'agents')} shared a meal",
    EventKind.POLICY_GUARDRAIL_BLOCK: _held_back,
    EventKind.JOB_LATE: lambda tell, record: f"{tell.name(record)} is late for work as {_plain(record['job_id'])}",
    EventKind.SHIFT_ABSENT: lambda tell, record: f"{tell.name(record)} missed the shift as {_plain(record['job_id'])}",
    EventKind.SHIFT_DEPARTED_EARLY: lambda tell, record: f"{tell.name(record)} left work early",
    EventKind.SHIFT_COMPLETED: lambda tell, record: (
        f"{tell.name(record)} ends the shift: there {_percent(record['attendance'])} of it, "
        f"{_number(record['earned']):.2f} coins"
    ),
    EventKind.JOB_ASSIGNED: lambda tell, record: f"{tell.name(record)} is hired as {_plain(record['job_id'])}",
    EventKind.EMPLOYMENT_WARNING: lambda tell, record: f"{tell.name(record)} is warned for missing shifts",
    EventKind.EMPLOYMENT_HELPED_WHEN_LATE: lambda tell, record: (
        f"{tell.everybody(record, 'coworkers')} covered for {tell.name(record)}"
    ),
    EventKind.EMPLOYMENT_TOOK_MY_SHIFT: lambda tell, record: (
        f"{tell.everybody(record, 'coworkers')} took the shift of {tell.name(record)}"
    ),
    EventKind.EMPLOYMENT_EXIT_PENDING: lambda tell, record: f"{tell.name(record)} may lose the job for good",
    EventKind.EMPLOYMENT_EXIT_PROCESSED: lambda tell, record: f"{tell.name(record)} is dismissed",
    EventKind.EMPLOYMENT_EXIT_MANUAL_REQUEST: lambda tell, record: f"{tell.name(record)} is asked to go",
    EventKind.EMPLOYMENT_EXIT_DEFERRED: lambda tell, record: f"{tell.name(record)} keeps the job after all",
    EventKind.RENT_PAID: lambda tell, record: f"{tell.name(record)} paid {_number(record['amount']):.2f} coins of rent",
    EventKind.RENT_MISSED: lambda tell, record: f"{tell.name(record)} could not pay the rent",
    EventKind.STOCK_REPLENISH: lambda tell, record: (
        f"{tell.thing(record).capitalize()} is restocked: {_plain(record['amount'])} {_plain(record['item'])}"
    ),
    EventKind.ECONOMY_PRICE_UPDATE: _priced,
    EventKind.PERTURBATION_STARTED: _befell,
    EventKind.PERTURBATION_ENDED: lambda _, record: _OVER_WORDS.get(str(record["kind"]), _plain(record["kind"])),
    EventKind.PERTURBATION_CANCELLED: lambda _, record: f"Called off: {_plain(record['kind'])}",
    EventKind.ARRANGED_MEET_KEPT: lambda tell, record: f"{tell.everybody(record, 'agents')} met as arranged",
    EventKind.ARRANGED_MEET_MISSED: lambda tell, record: f"{tell.everybody(record, 'agents')} did not meet as arranged",
    EventKind.SHOWER_POWER_OUTAGE: lambda tell, record: f"{tell.name(record)} found {tell.thing(record)} out of order",
    EventKind.AGENT_TELEPORTED: lambda tell, record: f"{tell.name(record)} was put elsewhere",
    EventKind.AGENT_POSSESSED: lambda tell, record: f"{tell.name(record)} is led by hand",
    EventKind.AGENT_RELEASED: lambda tell, record: f"{tell.name(record)} decides alone again",
}
