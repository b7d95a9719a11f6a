"""A day of politics in every hub."""

from typing import Final

from diorama.numerics import clamp, fmin
from diorama.worlds.tidebreak.campaign.bots.domestic import govern_by_bot
from diorama.worlds.tidebreak.campaign.economy.needs import shortages, take_stock
from diorama.worlds.tidebreak.campaign.kinds import Bloc, GovernmentKind, Resource, RouteStatus
from diorama.worlds.tidebreak.campaign.politics.crises import break_out, let_fail, suffer
from diorama.worlds.tidebreak.campaign.politics.legitimacy import drift_legitimacy, government_row
from diorama.worlds.tidebreak.campaign.politics.upheavals import check_upheavals
from diorama.worlds.tidebreak.campaign.politics.voting import decide, latency_days
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub

_INFO_STEP: Final = 0.05
_RECENT_DAYS: Final = 14
_IGNORED_DAYS: Final = 30


def govern(state: CampaignState) -> None:
    """Deliberate, decide, drift, and let crises and upheavals happen."""
    for hub in state.hubs:
        government = hub.government
        row = government_row(hub)
        government.capital = fmin(row.capital_max, government.capital + row.capital_per_day)
        government.blocked = [blocked for blocked in government.blocked if state.day <= blocked.until_day]
        hub.effects = [effect for effect in hub.effects if state.day <= effect.until_day]
        hub.lost_battles = [day for day in hub.lost_battles if state.day - day < _RECENT_DAYS]
        _grow(state, hub)
        if state.is_run_by_bot(hub.owner):
            govern_by_bot(state, hub)
        _deliberate(state, hub)
        _drift_opinion(state, hub)
        drift_legitimacy(hub)
        _drift_information(state, hub)
        suffer(state, hub)
        let_fail(state, hub)
        break_out(state, hub)
        check_upheavals(state, hub)


def apply_pressure(state: CampaignState) -> None:
    """Count supplies again after the day's shipments, so that politics reacts to what is there."""
    for hub in state.hubs:
        take_stock(hub)


def _grow(state: CampaignState, hub: Hub) -> None:
    for investment in list(hub.investments):
        if state.day < investment.ready_day:
            continue
        hub.investments.remove(investment)
        plants = [hub.facilities, *(site.facilities for site in state.sites if site.hub == hub.id)]
        for plant in plants:
            if investment.chain in plant:
                plant[investment.chain] *= 1.1


def _deliberate(state: CampaignState, hub: Hub) -> None:
    queue = hub.government.queue
    if hub.government.kind is GovernmentKind.ANARCHY or not queue:
        return
    current = next((decision for decision in queue if decision.ready_day is not None), None)
    if current is None:
        current = min(queue, key=lambda d: (-d.urgency, d.queued_day, d.number))
        current.ready_day = state.day + latency_days(state, hub, current)
    if current.ready_day is not None and state.day >= current.ready_day:
        queue.remove(current)
        decide(state, hub, current)


def _drift_opinion(state: CampaignState, hub: Hub) -> None:
    hungry = sum(resource in (Resource.FOOD, Resource.WATER) for resource in shortages(hub))
    closed = sum(
        hub.id in (route.origin, route.destination) and route.status is not RouteStatus.OPEN for route in state.routes
    )
    grievances = {Bloc.POPULISTS: hungry, Bloc.TRADERS: closed, Bloc.MILITARISTS: len(hub.lost_battles)}
    for bloc in hub.blocs:
        step = clamp(0.5 - bloc.satisfaction, -0.005, 0.005)
        bloc.satisfaction = clamp(bloc.satisfaction + step - 0.01 * grievances.get(bloc.kind, 0), 0.0, 1.0)
        if state.day - bloc.supported_day > 0 and (state.day - bloc.supported_day) % _IGNORED_DAYS == 0:
            bloc.satisfaction = clamp(bloc.satisfaction - 0.02, 0.0, 1.0)
            bloc.radicalization = clamp(bloc.radicalization + 0.01, 0.0, 1.0)
        anger = 0.005 * (0.4 - bloc.satisfaction) if bloc.satisfaction < 0.4 else -0.003
        bloc.radicalization = clamp(bloc.radicalization + anger * (1.5 - hub.info_integrity), 0.0, 1.0)


def _drift_information(state: CampaignState, hub: Hub) -> None:
    routes = [route for route in state.routes if hub.id in (route.origin, route.destination)]
    is_shut = bool(routes) and all(r.status in (RouteStatus.CLOSED, RouteStatus.BLOCKADED) for r in routes)
    is_besieged = any(siege.hub == hub.id for siege in state.sieges)
    goal = 1.0 - 0.5 * float(is_shut) - 0.3 * float(is_besieged)
    hub.info_integrity = clamp(hub.info_integrity + clamp(goal - hub.info_integrity, -_INFO_STEP, _INFO_STEP), 0.0, 1.0)
