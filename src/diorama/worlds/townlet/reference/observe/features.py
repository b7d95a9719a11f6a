"""The 128 features of a citizen, in the order of `layout.FEATURE_NAMES`."""

from math import sqrt
from typing import Final

from diorama.numerics import TWO_PI, clamp, ln, sincos
from diorama.worlds.townlet.codes import NOTHING, PerturbationKind, Price, ShiftState
from diorama.worlds.townlet.layout import FEATURES
from diorama.worlds.townlet.reference.decisions.options import OPTIONS
from diorama.worlds.townlet.reference.decisions.primitives import PRIMITIVES, object_in_reach
from diorama.worlds.townlet.reference.observe.landmarks import landmarks
from diorama.worlds.townlet.reference.observe.maps import Window
from diorama.worlds.townlet.reference.observe.social import SocialBlock
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.appointments import has_appointment
from diorama.worlds.townlet.reference.systems.conflicts import avoided_seats
from diorama.worlds.townlet.reference.systems.presence import own_fridge
from diorama.worlds.townlet.reference.systems.ties import rivalry_now
from diorama.worlds.townlet.tables.manifest import CORE_ITEMS

_MEALS: Final = CORE_ITEMS.index("meals")
_FOOD_RAW: Final = CORE_ITEMS.index("food_raw")
_LN_21: Final = ln(21.0)
_LATE_OFTEN: Final = 10
_MUCH_WITHHELD: Final = 5.0
_LONG_ACTION: Final = 60
_LONG_LIFE_DAYS: Final = 10
_PANTRY: Final = 4
_LONG_ARREARS: Final = 2
_LONG_QUEUE: Final = 8
_TIES: Final = 6
_HIGHEST_PRICE_RATIO: Final = 3.0
_SHIFT_PLACES: Final = {
    ShiftState.PRE_SHIFT: 0,
    ShiftState.AWAIT_START: 0,
    ShiftState.ON_TIME: 1,
    ShiftState.LATE: 2,
    ShiftState.ABSENT: 3,
    ShiftState.POST_SHIFT: 4,
}
_HINT_ORDER: Final = (0, 2, 1, 3)  # north, south, east, west as places among the directions


def features(town: Town, citizen: Citizen, window: Window, social: SocialBlock) -> list[float]:
    """All features of a citizen."""
    values = [
        *citizen.needs,
        min(1.0, ln(1.0 + citizen.wallet) / _LN_21),
        min(1.0, citizen.tally.lateness_counter / _LATE_OFTEN),
        float(citizen.shift.is_on_shift),
        *sincos(TWO_PI * town.tod / town.ticks_per_day),
        citizen.shift.attendance_ratio,
        min(1.0, citizen.tally.wages_withheld / _MUCH_WITHHELD),
        *_one_hot(_SHIFT_PLACES.get(ShiftState(citizen.shift.state), NOTHING), 5),
        citizen.slot / town.config.embedding_allocator.max_slots,
        float(citizen.ctx_reset),
        min(1.0, (town.tick - citizen.spawn_tick) / (_LONG_LIFE_DAYS * town.ticks_per_day)),
        *_rivalries(town, citizen),
        citizen.last_primitive / (PRIMITIVES - 1),
        float(citizen.last_success),
        min(1.0, citizen.last_duration / _LONG_ACTION),
        float(citizen.holding != NOTHING),
        float(citizen.queued != NOTHING),
        *_path_hints(town, citizen),
        *_surroundings(window),
        *_one_hot(citizen.plan.option, OPTIONS),
        float(town.has_power),
        float(town.has_water),
        _price_ratio(town, Price.MEAL),
        _price_ratio(town, Price.INGREDIENTS),
        *_supplies(town, citizen),
        min(1.0, citizen.decline.rent_arrears / _LONG_ARREARS),
        float(citizen.decline.is_exit_pending),
        *landmarks(town, citizen),
        *(citizen.traits if town.config.features.observations.personality_channels else (0.0, 0.0, 0.0)),
        *social.values,
        _progress(town, citizen),
        _queue_place(town, citizen),
        _commitment(town, citizen),
        _rival_at_hand(town, citizen),
        _ticks_to_shift(town, citizen),
        float(has_appointment(town, citizen)),
        float(any(event.kind != PerturbationKind.ARRANGED_MEET for event in town.perturbations.active)),
    ]
    assert len(values) == FEATURES
    return values


def _one_hot(place: int, size: int) -> list[float]:
    return [float(place == other) for other in range(size)]


def _rivalries(town: Town, citizen: Citizen) -> tuple[float, float]:
    if not citizen.ties or not town.config.features.observes_relationships:
        return 0.0, 0.0
    rivalries = [rivalry_now(town, tie) for tie in citizen.ties]
    threshold = town.config.conflict.rivalry.avoid_threshold
    return max(rivalries), min(1.0, sum(rivalry >= threshold for rivalry in rivalries) / _TIES)


def _path_hints(town: Town, citizen: Citizen) -> list[float]:
    if citizen.plan.goal == NOTHING:
        return [0.0] * 4
    field = town.tables.paths.field(citizen.plan.goal)
    here = field[citizen.tile]
    closer = {way for way, neighbor in town.tables.paths.neighbors[citizen.tile] if field[neighbor] < here}
    return [float(way in closer) for way in _HINT_ORDER]


def _surroundings(window: Window) -> tuple[float, float, float, float]:
    side = len(window.agents)
    radius = side // 2
    rows, columns = window.agents.nonzero()
    nearest = 1.0
    if len(rows):
        squares = (rows - radius) ** 2 + (columns - radius) ** 2
        nearest = min(1.0, sqrt(float(squares.min())) / (radius * sqrt(2.0)))
    reserved = int((window.reservations != 0.0).sum())
    return (
        len(rows) / (side * side - 1),
        window.object_count / (side * side),
        reserved / (side * side),
        nearest,
    )


def _price_ratio(town: Town, price: Price) -> float:
    baseline = town.economy.baselines[price]
    ratio = town.economy.live[price] / baseline if baseline > 0.0 else 1.0
    return clamp(ratio, 0.0, _HIGHEST_PRICE_RATIO) / _HIGHEST_PRICE_RATIO


def _supplies(town: Town, citizen: Citizen) -> tuple[float, float]:
    fridge = own_fridge(town, citizen)
    meals = 0 if fridge == NOTHING else town.objects[fridge].stock[_MEALS]
    return min(1.0, meals / _PANTRY), min(1.0, citizen.inventory[_FOOD_RAW] / _PANTRY)


def _progress(town: Town, citizen: Citizen) -> float:
    if not citizen.is_running:
        return 0.0
    state = town.objects[citizen.holding]
    return 0.0 if state.spec is None else 1.0 - state.remaining / state.spec.duration


def _queue_place(town: Town, citizen: Citizen) -> float:
    if citizen.queued == NOTHING:
        return 0.0
    return min(1.0, (town.objects[citizen.queued].place_of(citizen.seat) + 1) / _LONG_QUEUE)


def _commitment(town: Town, citizen: Citizen) -> float:
    length, plan = town.config.policy_runtime.option_commit_ticks, citizen.plan
    if length == 0 or plan.has_ended:
        return 0.0
    return clamp((plan.commit_until - town.tick) / length, 0.0, 1.0)


def _rival_at_hand(town: Town, citizen: Citizen) -> float:
    if not citizen.ties or not town.config.features.observes_relationships:
        return 0.0
    index = object_in_reach(town, citizen)
    if index == NOTHING:
        return 0.0
    state = town.objects[index]
    there = {state.holder, *(entry.seat for entry in state.queue)}
    return float(any(seat in there for seat in avoided_seats(town, citizen)))


def _ticks_to_shift(town: Town, citizen: Citizen) -> float:
    if citizen.job == NOTHING:
        return 0.0
    job, tod = town.tables.jobs[citizen.job], town.tod
    ticks = job.start - tod if tod < job.end else job.start + town.ticks_per_day - tod
    return ticks / town.ticks_per_day
