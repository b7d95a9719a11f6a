"""What a viewer needs to draw a town: places, things, people, and what they are about."""

from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.codes import NEED_NAMES, NOTHING, OPTION_NAMES, PRIMITIVE_NAMES, ShiftState, word
from diorama.worlds.townlet.config.economy import PRICE_KEYS
from diorama.worlds.townlet.reference.console.finding import id_of
from diorama.worlds.townlet.reference.console.happenings import event_block
from diorama.worlds.townlet.reference.console.society import top_ties
from diorama.worlds.townlet.reference.names import agent_id, display_name
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.kpis import RewardBreakdown
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.fitness import agent_fitness_index
from diorama.worlds.townlet.reference.systems.kpis import kpi_row

RENDER_VERSION: Final = 1
_DIGITS: Final = 6


def render_state(town: Town, *, time_remaining: int, rewards: dict[int, RewardBreakdown]) -> JsonObject:
    """Describe a moment.

    Args:
        town: The town.
        time_remaining: Ticks until the episode is cut off.
        rewards: Of the last tick, by seat.
    """
    kpis = kpi_row(town)
    return {
        "schema_version": RENDER_VERSION,
        "headline": {"self_sufficiency": _round(kpis.self_sufficiency), "attendance": _round(kpis.attendance)},
        "time": town.tick,
        "time_remaining": time_remaining,
        "day": town.day,
        "tod": town.tod,
        "ticks_per_day": town.ticks_per_day,
        "map": _map(town),
        "objects": [_object(town, index) for index in range(len(town.objects))],
        "citizens": [
            None if citizen is None else _citizen(town, citizen, rewards.get(citizen.seat)) for citizen in town.seats
        ],
        "prices": {
            key: {"baseline": _round(baseline), "live": _round(live)}
            for key, baseline, live in zip(PRICE_KEYS, town.economy.baselines, town.economy.live, strict=True)
        },
        "utilities": {"power": town.has_power, "water": town.has_water},
        "events": [event_block(town, event) for event in town.perturbations.active],
    }


def _map(town: Town) -> JsonObject:
    town_map = town.tables.map
    return {
        "width": town_map.width,
        "height": town_map.height,
        "zones": [
            {
                "id": zone.id,
                "kind": "building" if zone.is_building else "open",
                "rect": list(zone.rect),
                "door": None if zone.door == NOTHING else list(town_map.xy(zone.door)),
            }
            for zone in town_map.zones
        ],
    }


def _object(town: Town, index: int) -> JsonObject:
    state, row = town.objects[index], town.tables.objects[index]
    return {
        "id": row.id,
        "type": town.tables.types[row.type],
        "position": list(town.tables.map.xy(row.tile)),
        "use_tile": list(town.tables.map.xy(row.use_tile)),
        "holder": id_of(town, state.holder),
        "queue": [id_of(town, entry.seat) for entry in state.queue],
        "running": None
        if state.spec is None
        else {"affordance": state.spec.id, "remaining": state.remaining, "duration": state.spec.duration},
        "owner": id_of(town, state.owner),
        "stock": {item: count for item, count in zip(town.tables.items, state.stock, strict=True) if count},
    }


def _citizen(town: Town, citizen: Citizen, reward: RewardBreakdown | None) -> JsonObject:
    goal = citizen.plan.goal
    return {
        "agent_id": agent_id(town, citizen.number),
        "name": display_name(town, citizen.number),
        "seat": citizen.seat,
        "slot": citizen.slot,
        "position": list(town.tables.map.xy(citizen.tile)),
        "home": town.tables.map.zones[citizen.home].id,
        "needs": {name: _round(need) for name, need in zip(NEED_NAMES, citizen.needs, strict=True)},
        "wallet": _round(citizen.wallet),
        "inventory": {item: count for item, count in zip(town.tables.items, citizen.inventory, strict=True) if count},
        "option": OPTION_NAMES[citizen.plan.option],
        "goal": None if goal == NOTHING else list(town.tables.map.xy(goal)),
        "commit_remaining": 0 if citizen.plan.has_ended else max(0, citizen.plan.commit_until - town.tick),
        "primitive": PRIMITIVE_NAMES[citizen.last_primitive],
        "primitive_succeeded": citizen.last_success,
        "is_running": citizen.is_running,
        "holding": None if citizen.holding == NOTHING else town.tables.objects[citizen.holding].id,
        "queued_at": None if citizen.queued == NOTHING else town.tables.objects[citizen.queued].id,
        "job": None if citizen.job == NOTHING else town.tables.jobs[citizen.job].id,
        "shift_state": word(ShiftState(citizen.shift.state)),
        "attendance": _round(citizen.shift.attendance_ratio),
        "profile": town.tables.profiles[citizen.profile].name,
        "traits": [_round(trait) for trait in citizen.traits],
        "ties": top_ties(town, citizen),
        "afi": _round(agent_fitness_index(citizen)),
        "is_possessed": citizen.is_possessed,
        "exit_pending": citizen.decline.is_exit_pending,
        "reward": None if reward is None else reward_terms(reward),
    }


def reward_terms(reward: RewardBreakdown) -> dict[str, JsonValue]:
    """The parts of a reward by name, and their total."""
    return {**{name: _round(value) for name, value in terms_of(reward).items()}, "total": _round(reward.total)}


def terms_of(reward: RewardBreakdown) -> dict[str, float]:
    """The parts that add up to a reward, by name, in their order."""
    return {
        "survival": reward.survival,
        "needs_penalty": reward.needs_penalty,
        "shaping": reward.shaping,
        "wage": reward.wage,
        "punctuality": reward.punctuality,
        "social_bonus": reward.social_bonus,
        "social_penalty": reward.social_penalty,
        "social_avoidance": reward.social_avoidance,
        "curiosity": reward.curiosity,
        "terminal_penalty": reward.terminal_penalty,
        "clip_adjustment": reward.clip_adjustment,
    }


def _round(value: float) -> float:
    return round(value, _DIGITS)
