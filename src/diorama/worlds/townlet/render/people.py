"""A citizen as a viewer sees it."""

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.codes import NOTHING, OPTION_NAMES, PRIMITIVE_NAMES, ShiftState, word
from diorama.worlds.townlet.reference.names import agent_id, display_name
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.kpis import RewardBreakdown
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.fitness import agent_fitness_index
from diorama.worlds.townlet.reference.systems.ties import rivalry_now
from diorama.worlds.townlet.render.rounding import coins, paid, share


def citizen_picture(town: Town, citizen: Citizen, reward: RewardBreakdown | None) -> JsonObject:
    """Return a citizen; a tie is the other's seat, trust, familiarity and rivalry.

    Args:
        town: Where it lives.
        citizen: Who.
        reward: Of the last tick; None for somebody who was not there yet.
    """
    plan = citizen.plan
    return {
        "seat": citizen.seat,
        "id": agent_id(town, citizen.number),
        "name": display_name(town, citizen.number),
        "at": list(town.tables.map.xy(citizen.tile)),
        "home": citizen.home,
        "needs": [share(need) for need in citizen.needs],
        "wallet": coins(citizen.wallet),
        "items": {item: count for item, count in zip(town.tables.items, citizen.inventory, strict=True) if count},
        "option": OPTION_NAMES[plan.option],
        "is_settled": plan.has_ended,
        "commit": 0 if plan.has_ended else max(0, plan.commit_until - town.tick),
        "goal": None if plan.goal == NOTHING else list(town.tables.map.xy(plan.goal)),
        "did": PRIMITIVE_NAMES[citizen.last_primitive],
        "succeeded": citizen.last_success,
        "is_busy": citizen.is_running,
        "holds": _place(citizen.holding),
        "waits": _place(citizen.queued),
        "job": _place(citizen.job),
        "shift": word(ShiftState(citizen.shift.state)),
        "attendance": share(citizen.shift.attendance_ratio),
        "absences": citizen.shift.absent_shifts_7d,
        "arrears": citizen.decline.rent_arrears,
        "profile": town.tables.profiles[citizen.profile].name,
        "traits": [share(trait) for trait in citizen.traits],
        "ties": [
            [tie.other, share(tie.trust), share(tie.familiarity), share(rivalry_now(town, tie))] for tie in citizen.ties
        ],
        "meets": _place(citizen.appointment.zone) if citizen.appointment.event else None,
        "fitness": share(agent_fitness_index(citizen)),
        "is_leaving": citizen.decline.is_exit_pending,
        "is_possessed": citizen.is_possessed,
        "return": paid(citizen.account.episode_sum),
        "reward": {} if reward is None else reward_terms(reward),
    }


def reward_terms(reward: RewardBreakdown) -> dict[str, JsonValue]:
    """The parts of a reward that are not nothing, by name, and their total."""
    parts = {name: paid(value) for name, value in terms_of(reward).items() if value != 0.0}
    return {**parts, "total": paid(reward.total)}


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


def _place(index: int) -> int | None:
    return None if index == NOTHING else index
