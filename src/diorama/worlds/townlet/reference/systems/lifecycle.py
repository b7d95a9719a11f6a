"""Lifecycle: who leaves town, for what reason, and what holds an exit back."""

from diorama.worlds.townlet.codes import ExitBlock, ExitReason, Price
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.names import agent_id
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.collapse import has_collapsed, rescue
from diorama.worlds.townlet.reference.systems.departures import lived_days, remove_citizen
from diorama.worlds.townlet.reference.systems.exit_queue import work_exit_queue

_NOT_DEFERRED = -1


class LifecycleManager:
    """Decides about exits; keeps nothing of its own."""

    def evaluate(self, town: Town, tick: int) -> dict[str, bool]:
        """Find out who leaves this tick, without removing anybody.

        Returns:
            Whether each living citizen leaves, by id.
        """
        evaluate_exits(town)
        return {agent_id(town, citizen.number): citizen.facts.exit_reason >= 0 for citizen in town.living()}


def evaluate_exits(town: Town) -> None:
    """Mark everybody who leaves this tick, in the order of reasons, then seats; `facts.exit_reason` says why."""
    for citizen in town.living():
        if citizen.decline.kill_requested:
            _leave(town, citizen, ExitReason.KILLED)
    if not _allows_exits(town):
        for citizen in town.living():
            if has_collapsed(town, citizen) and citizen.facts.exit_reason < 0:
                rescue(town, citizen)
        return
    deferred: set[int] = set()

    def consider(citizen: Citizen, reason: ExitReason, *, is_approved: bool = False) -> bool:
        if citizen.facts.exit_reason >= 0 or citizen.seat in deferred:
            return False  # the first reason that holds is the one that counts
        block = None if is_approved else _block(town, reason)
        if block is None:
            _leave(town, citizen, reason)
            return True
        deferred.add(citizen.seat)
        _defer(town, citizen, reason, block)
        return False

    for citizen in town.living():
        if has_collapsed(town, citizen):
            consider(citizen, ExitReason.FAINT)
    for citizen in town.living():
        if citizen.decline.is_evicted:
            consider(citizen, ExitReason.EVICTION)
    if town.config.employment.enforce_job_loop:
        work_exit_queue(
            town,
            lambda citizen, is_approved: consider(citizen, ExitReason.UNEMPLOYMENT, is_approved=is_approved),
        )
    for citizen in town.living():
        if citizen.decline.is_unemployed:
            consider(citizen, ExitReason.UNEMPLOYMENT)
    for citizen in town.living():
        if citizen.decline.is_neglected:
            consider(citizen, ExitReason.NEGLECT)
    for citizen in town.living():
        if 0 < citizen.decline.lifespan_days <= lived_days(town, citizen):
            consider(citizen, ExitReason.AGE_OUT)
    for citizen in town.living():
        if citizen.seat not in deferred:
            citizen.decline.deferred_reason = _NOT_DEFERRED


def remove_exited(town: Town) -> None:
    """Remove everybody who leaves, in the order in which they were marked."""
    for seat, reason in [*town.report.exits.items()]:
        remove_citizen(town, town.citizen(seat), ExitReason(reason))


def judge_day(town: Town) -> None:
    """At midnight, after rent: find out who is evicted and who counts as unemployed."""
    rule = town.config.lifecycle
    half_rent = 0.5 * town.economy.live[Price.RENT]
    for citizen in town.living():
        decline = citizen.decline
        if decline.rent_arrears == 0:
            decline.notice_day = -1
        elif decline.rent_arrears >= rule.eviction.days_unpaid and decline.notice_day < 0:
            decline.notice_day = town.day
        has_notice = decline.notice_day >= 0 and town.day - decline.notice_day >= rule.eviction.recovery_days
        decline.is_evicted = has_notice and citizen.wallet < half_rent
        decline.is_unemployed = bool(town.tables.jobs) and citizen.shift.wageless_days >= rule.unemployment_days
    town.lifecycle.exits_today = 0


def _allows_exits(town: Town) -> bool:
    return town.rules.mortality and town.config.features.systems.lifecycle == "on"


def _leave(town: Town, citizen: Citizen, reason: ExitReason) -> None:
    citizen.facts.exit_reason = reason
    town.report.exits[citizen.seat] = reason
    town.lifecycle.exits_today += 1
    town.lifecycle.last_exit_tick = town.tick


def _block(town: Town, reason: ExitReason) -> ExitBlock | None:
    if town.lifecycle.exits_today >= town.rules.max_exits_per_day:
        return ExitBlock.DAILY_CAP
    if town.tick - town.lifecycle.last_exit_tick < town.config.lifecycle.exit_cooldown_ticks:
        return ExitBlock.COOLDOWN
    return ExitBlock.CITY_EVENT if _is_suppressed(town, reason) else None


def _is_suppressed(town: Town, reason: ExitReason) -> bool:
    if not town.config.lifecycle.suppress_during_city_events:
        return False
    grace = town.config.perturbations.grace_window_ticks
    if reason in (ExitReason.FAINT, ExitReason.NEGLECT):
        return town.tick - town.perturbations.utility_tick <= grace
    return reason is ExitReason.EVICTION and town.tick - town.perturbations.price_tick <= grace


def _defer(town: Town, citizen: Citizen, reason: ExitReason, block: ExitBlock) -> None:
    decline = citizen.decline
    decline.deferred_tick = town.tick
    if decline.deferred_reason != reason:
        decline.deferred_reason = reason
        town.record(EventKind.EXIT_DEFERRED, citizen.number, reason, block)
