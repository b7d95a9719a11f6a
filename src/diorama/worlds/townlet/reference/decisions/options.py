"""Options: when each may be chosen, when it has ended, and when a citizen is bound to it."""

from typing import Final

from diorama.worlds.townlet.codes import NOTHING, Need, Option, ShiftState
from diorama.worlds.townlet.reference.decisions.nearness import AVOID_RADIUS, avoided_within
from diorama.worlds.townlet.reference.decisions.targets import (
    SATISFIED,
    can_shower,
    fed_target,
    shop_target,
    sleep_target,
)
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town

OPTIONS: Final = len(Option)
SOCIAL_TICKS: Final = 60
_EARLY_TO_WORK_TICKS: Final = 200
_SERVES: Final = {Option.GET_FED: Need.HUNGER, Option.GET_CLEAN: Need.HYGIENE, Option.SLEEP: Need.ENERGY}


def is_feasible(town: Town, citizen: Citizen, option: int) -> bool:
    """Whether an option makes sense for a citizen now, whatever it is bound to."""
    match option:
        case Option.GET_FED:
            return citizen.needs[Need.HUNGER] < SATISFIED and fed_target(town, citizen) is not None
        case Option.GET_CLEAN:
            return citizen.needs[Need.HYGIENE] < SATISFIED and can_shower(town, citizen)
        case Option.GO_TO_WORK:
            return _has_work(town, citizen)
        case Option.SHOP_GROCERIES:
            return shop_target(town, citizen) is not None
        case Option.SLEEP:
            return citizen.needs[Need.ENERGY] < SATISFIED and sleep_target(town, citizen) is not None
        case Option.SOCIALISE:
            return town.config.features.has_relationships
        case Option.AVOID_RIVALS:
            return bool(avoided_within(town, citizen, AVOID_RADIUS))
        case _:
            return True


def option_mask(town: Town, citizen: Citizen) -> list[int]:
    """One bit per option; only the current one's while a citizen is bound to it."""
    if is_bound(town, citizen):
        return [int(option == citizen.plan.option) for option in range(OPTIONS)]
    return [int(is_feasible(town, citizen, option)) for option in range(OPTIONS)]


def is_bound(town: Town, citizen: Citizen) -> bool:
    """Whether a citizen must keep its option: it is doing something, or it has committed itself."""
    return citizen.is_running or is_committed(town, citizen)


def is_committed(town: Town, citizen: Citizen) -> bool:
    """Whether a commitment holds; endings, infeasibility, other critical needs and cleared memories break it."""
    plan = citizen.plan
    if plan.has_ended or town.tick >= plan.commit_until or citizen.ctx_reset or citizen.is_possessed:
        return False
    critical = town.config.behavior.critical_threshold
    for need, value in enumerate(citizen.needs):
        if value < critical and _SERVES.get(Option(plan.option)) != need:
            return False
    return is_feasible(town, citizen, plan.option)


def settle_options(town: Town) -> None:
    """Find out whose option has ended by its own rule; right before stage 3."""
    for citizen in town.living():
        plan = citizen.plan
        if plan.has_ended or citizen.is_running:
            continue
        if plan.option == Option.SOCIALISE and (plan.chats > 0 or town.tick - plan.since_tick >= SOCIAL_TICKS):
            plan.has_ended = True
        elif plan.option == Option.IDLE or not is_feasible(town, citizen, plan.option):
            plan.has_ended = True
            citizen.facts.has_avoided |= plan.option == Option.AVOID_RIVALS
        if plan.has_ended and plan.option != Option.IDLE:
            plan.goal = NOTHING


def take_option(town: Town, citizen: Citizen, option: int) -> None:
    """Let a citizen set out for an option, or go on with the one it has."""
    plan, facts = citizen.plan, citizen.facts
    if option == plan.option and not plan.has_ended:
        return
    if option != plan.option:
        facts.option_starts += 1
        facts.premature_switches += not plan.has_ended
    plan.option = option
    plan.has_ended = False
    plan.since_tick = town.tick
    plan.commit_until = town.tick + town.config.policy_runtime.option_commit_ticks
    plan.chats = 0
    plan.goal = NOTHING


def _has_work(town: Town, citizen: Citizen) -> bool:
    if citizen.job == NOTHING or citizen.shift.state == ShiftState.ABSENT or citizen.shift.is_excused:
        return False
    job = town.tables.jobs[citizen.job]
    return job.start - _EARLY_TO_WORK_TICKS <= town.tod < job.end
