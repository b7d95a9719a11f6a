"""The hooks of affordances: built-in ones are data, custom ones are called."""

from typing import Final

from diorama.worlds.townlet.codes import NOTHING
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.hooks import Hook
from diorama.worlds.townlet.reference.names import agent_id
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.meals import share_meal
from diorama.worlds.townlet.tables.affordances import AffordanceRow
from diorama.worlds.townlet.tables.custom_hooks import FIRST_CODE, HookCall

_ORDER: Final = ("before", "after", "fail")
_STAGES: Final = {
    EventKind.AFFORDANCE_START: "before",
    EventKind.AFFORDANCE_FINISH: "after",
    EventKind.AFFORDANCE_FAIL: "fail",
}


def run_before(town: Town, citizen: Citizen, row: AffordanceRow, object_index: int) -> bool:
    """Run the hooks before a start; False if one of them cancels it."""
    for code in row.before:
        if code < FIRST_CODE:
            citizen.tally.attempts += 1
        elif _call(town, citizen, row, object_index, "before", code) is not None:
            return False
    return True


def run_after(town: Town, citizen: Citizen, row: AffordanceRow, object_index: int) -> None:
    """Run the hooks after a success."""
    for code in row.after:
        if code < FIRST_CODE:
            _run_built_in(town, citizen, Hook(code), object_index)
        else:
            _call(town, citizen, row, object_index, "after", code)


def run_fail(town: Town, citizen: Citizen, row: AffordanceRow, object_index: int) -> None:
    """Run the hooks of a failure."""
    for code in row.fail:
        if code >= FIRST_CODE:
            _call(town, citizen, row, object_index, "fail", code)
        elif code == Hook.NO_POWER and not (town.has_power and town.has_water):
            town.record(EventKind.SHOWER_POWER_OUTAGE, citizen.number, object_index)


def run_deferred(town: Town) -> None:
    """Run deferred hooks on what was begun, finished and failed in this tick; they may not change the town."""
    if not any(hook.is_deferred for hook in town.tables.custom_hooks):
        return
    for event in town.events:
        stage = _STAGES.get(event.kind)
        if stage is None or event.tick != town.tick or NOTHING in event.values[1:3]:
            continue
        number, object_index, affordance = (int(value) for value in event.values[:3])
        row = town.tables.affordances[affordance]
        for code in (row.before, row.after, row.fail)[_ORDER.index(stage)]:
            if code >= FIRST_CODE and town.tables.custom_hooks[code - FIRST_CODE].is_deferred:
                _run_custom(town, number, row, object_index, stage, code)


def _run_built_in(town: Town, citizen: Citizen, hook: Hook, object_index: int) -> None:
    match hook:
        case Hook.FINISH_SHOWER:
            citizen.tally.showers_taken += 1
            town.record(EventKind.SHOWER_COMPLETE, citizen.number, object_index)
        case Hook.FINISH_EAT:
            citizen.tally.meals_consumed += 1
            share_meal(town, citizen, object_index)
        case Hook.FINISH_COOK:
            citizen.tally.meals_cooked += 1
        case Hook.FINISH_SLEEP:
            citizen.tally.sleep_sessions += 1
            town.record(EventKind.SLEEP_COMPLETE, citizen.number, object_index)
        case _:
            citizen.tally.attempts += 1


def _call(town: Town, citizen: Citizen, row: AffordanceRow, object_index: int, stage: str, code: int) -> str | None:
    if town.tables.custom_hooks[code - FIRST_CODE].is_deferred:
        return None
    return _run_custom(town, citizen.number, row, object_index, stage, code)


def _run_custom(town: Town, number: int, row: AffordanceRow, object_index: int, stage: str, code: int) -> str | None:
    hook = town.tables.custom_hooks[code - FIRST_CODE]
    return hook.run(
        HookCall(
            stage=stage,
            hook=hook.name,
            tick=town.tick,
            agent_id=agent_id(town, number),
            object_id=town.tables.objects[object_index].id,
            affordance_id=row.id,
            town=town,
        )
    )
