"""The scripted controller: the default policy, the teacher of cloned ones, and the baseline."""

from typing import Final, Protocol

from diorama.numerics import clamp, round_half_up
from diorama.worlds.townlet.codes import NOTHING, Need, Option, Trait
from diorama.worlds.townlet.reference.decisions.expansion import PARK_FROM, PARK_UNTIL, chat_threshold, need_thresholds
from diorama.worlds.townlet.reference.decisions.nearness import avoided_within
from diorama.worlds.townlet.reference.decisions.options import is_feasible
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.appointments import has_appointment
from diorama.worlds.townlet.reference.systems.presence import distance_to, own_fridge
from diorama.worlds.townlet.tables.manifest import CORE_ITEMS

_EXHAUSTED: Final = 0.10
_NIGHT_FROM: Final = 900
_NIGHT_UNTIL: Final = 200
_NIGHT_BIAS: Final = 0.3
_MOST_BUFFER: Final = 240.0
_SHOP_AFTER: Final = 300
_SHOP_UNTIL: Final = 900
_COOK_AFTER: Final = 250
_ENOUGH: Final = 2
_TOO_CLOSE: Final = 2
_MEAL_BEFORE_WORK: Final = 0.15  # about what hunger loses in a shift that is reached on time
_MEALS: Final = CORE_ITEMS.index("meals")
_FOOD_RAW: Final = CORE_ITEMS.index("food_raw")


class Controller(Protocol):
    """Anything that chooses an option for a citizen."""

    def decide(self, town: Town, citizen: Citizen) -> int:
        """Return an `Option`."""


class IdleController:
    """Always idle; for tests."""

    def decide(self, town: Town, citizen: Citizen) -> int:
        """Return `Idle`."""
        return Option.IDLE


class BehaviorController:
    """Looks after needs, work, supplies and company, in this order."""

    def decide(self, town: Town, citizen: Citizen) -> int:
        """Return the option of the first rule that applies."""
        critical = town.config.behavior.critical_threshold
        if citizen.needs[Need.HUNGER] < critical and is_feasible(town, citizen, Option.GET_FED):
            return Option.GET_FED
        if citizen.needs[Need.ENERGY] < _EXHAUSTED:
            return Option.SLEEP
        if _is_time_for_work(town, citizen):
            return Option.GO_TO_WORK
        urgent = _most_urgent(town, citizen)
        if urgent is not None:
            return urgent
        if has_appointment(town, citizen) and is_feasible(town, citizen, Option.SOCIALISE):
            return Option.SOCIALISE
        if _runs_short(town, citizen) and is_feasible(town, citizen, Option.SHOP_GROCERIES):
            return Option.SHOP_GROCERIES
        if _seeks_company(town, citizen) and is_feasible(town, citizen, Option.SOCIALISE):
            return Option.SOCIALISE
        if avoided_within(town, citizen, _TOO_CLOSE):
            return Option.AVOID_RIVALS
        return Option.IDLE


def _is_time_for_work(town: Town, citizen: Citizen) -> bool:
    if citizen.job == NOTHING or not is_feasible(town, citizen, Option.GO_TO_WORK):
        return False
    job = town.tables.jobs[citizen.job]
    affinity = 1.0
    if town.config.features.behavior.personality_profiles:
        affinity = town.tables.profiles[citizen.profile].work_affinity
    buffer = clamp(round_half_up(town.config.behavior.job_arrival_buffer * affinity), 0.0, _MOST_BUFFER)
    return job.start - buffer - distance_to(town, citizen, job.tile) <= town.tod < job.end


def _most_urgent(town: Town, citizen: Citizen) -> Option | None:
    hunger, hygiene, energy = citizen.needs
    is_night = town.tod >= _NIGHT_FROM or town.tod < _NIGHT_UNTIL
    least_hunger, least_hygiene, least_energy = need_thresholds(town, citizen, is_night=is_night)
    if _works_soon(town, citizen):
        least_hunger += _MEAL_BEFORE_WORK
    candidates = (
        (hunger, hunger < least_hunger, Option.GET_FED),
        (energy - (_NIGHT_BIAS if is_night else 0.0), energy < least_energy, Option.SLEEP),
        (hygiene, hygiene < least_hygiene, Option.GET_CLEAN),
    )
    best: Option | None = None
    best_key = 0.0
    for key, is_wanted, option in candidates:
        if is_wanted and (best is None or key < best_key) and is_feasible(town, citizen, option):
            best, best_key = option, key
    return best


def _works_soon(town: Town, citizen: Citizen) -> bool:
    """Whether a shift is near: who sets out for it half hungry starves through it."""
    return town.tod < _shift_start(town, citizen) and is_feasible(town, citizen, Option.GO_TO_WORK)


def _shift_start(town: Town, citizen: Citizen) -> int:
    return 0 if citizen.job == NOTHING else town.tables.jobs[citizen.job].start


def _runs_short(town: Town, citizen: Citizen) -> bool:
    food, fridge, tod = citizen.inventory[_FOOD_RAW], own_fridge(town, citizen), town.tod
    meals = town.objects[fridge].stock[_MEALS] if fridge != NOTHING else 0
    needs_food = food < _ENOUGH and _SHOP_AFTER < tod < _SHOP_UNTIL
    return needs_food or (meals < _ENOUGH and food > 0 and tod > _COOK_AFTER)


def _seeks_company(town: Town, citizen: Citizen) -> bool:
    return PARK_FROM <= town.tod < PARK_UNTIL and citizen.traits[Trait.EXTROVERSION] >= chat_threshold(town, citizen)
