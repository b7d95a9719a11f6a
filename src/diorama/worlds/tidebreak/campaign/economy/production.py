"""What hubs and sites make in a day."""

from typing import Final

from diorama.numerics import fmax, fmin
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.content.tables import ChainRow
from diorama.worlds.tidebreak.campaign.draws import Stream, uniform
from diorama.worlds.tidebreak.campaign.economy.needs import daily_need, shortage_factor
from diorama.worlds.tidebreak.campaign.economy.stocks import gain, hub_gain, hub_use, move, use
from diorama.worlds.tidebreak.campaign.kinds import Chain, ConquestState, CrisisKind, Flow, HubKind, Resource
from diorama.worlds.tidebreak.campaign.map.paths import is_cut_off
from diorama.worlds.tidebreak.campaign.people import manager_competence
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub, Site

RESERVE_DAYS: Final = 5.0
STORE_DAYS: Final = 10.0
SABOTAGE: Final = 0.7
STRIKE: Final = 0.3
ACCIDENT_CHANCE: Final = 0.01
ACCIDENT: Final = 0.5


def produce(state: CampaignState) -> None:
    """Work through the chains of every hub and of the sites that serve it."""
    for hub in state.hubs:
        hub.flows, hub.opening = {}, dict(hub.stock)
        sites = [site for site in state.sites if site.hub == hub.id and site.owner == hub.owner]
        for site in sites:
            _reconnect(state, hub, site)
        efficiency = efficiency_of(state, hub)
        for chain in Chain:
            row = tables().chains[chain]
            factor = efficiency * _strike_factor(hub, row)
            if chain in hub.facilities:
                capacity = hub.facilities[chain] * factor * _accident_factor(state, hub.number, chain)
                _run_in_hub(state, hub, row, capacity * hull_condition(state, hub.hull))
            for site in sites:
                if chain in site.facilities:
                    _run_in_site(state, hub, site, row, _site_capacity(state, site, chain) * factor)


def efficiency_of(state: CampaignState, hub: Hub) -> float:
    """Share of its capacity a hub gets out of its plants."""
    efficiency = (0.7 + 0.3 * hub.government.legitimacy) * (0.8 + 0.4 * manager_competence(state, hub))
    efficiency *= shortage_factor(hub)
    is_shared = hub.conquest is not None and hub.conquest.state is ConquestState.CONDOMINIUM
    return efficiency * (0.5 if is_shared else 1.0)


def hull_condition(state: CampaignState, ship_id: str | None) -> float:
    """Share of the hull that a hub or site stands on; solid ground is always whole."""
    ship = state.find_ship(ship_id)
    return 1.0 if ship is None else ship.hp_share


def chain_inputs(row: ChainRow, kind: HubKind) -> list[tuple[Resource, float]]:
    """What a batch needs at a kind of hub."""
    free = row.free_on_land if kind is HubKind.LAND_BASE else ()
    return [(r, row.inputs[r]) for r in Resource if row.inputs.get(r, 0.0) > 0.0 and r not in free]


def _reconnect(state: CampaignState, hub: Hub, site: Site) -> None:
    """See whether the site can be reached; if so, what it could not send arrives and its inputs are topped up."""
    site.is_cut_off = is_cut_off(state, site.id, hub.id, site.owner)
    if site.is_cut_off:
        return
    keep = _own_store(site)
    for resource in Resource:
        wanted = keep.get(resource, 0.0)
        if site.store[resource] > wanted:
            move(site.store, hub.stock, resource, site.store[resource] - wanted)
        spare = fmax(hub.stock[resource] - RESERVE_DAYS * daily_need(hub, resource), 0.0)
        move(hub.stock, site.store, resource, fmin(wanted - site.store[resource], spare))


def _own_store(site: Site) -> dict[Resource, float]:
    """Inputs a site keeps for the days it is cut off: those it does not make itself."""
    rows = [(tables().chains[chain], site.facilities[chain]) for chain in Chain if chain in site.facilities]
    made = {resource for row, _ in rows for resource in row.outputs}
    store: dict[Resource, float] = {}
    for row, capacity in rows:
        for resource in Resource:
            if resource in row.inputs and resource not in made:
                store[resource] = store.get(resource, 0.0) + STORE_DAYS * capacity * row.inputs[resource]
    return store


def first_site_store(site: Site) -> dict[Resource, float]:
    """What a site begins with."""
    return _own_store(site)


def _site_capacity(state: CampaignState, site: Site, chain: Chain) -> float:
    sabotage = SABOTAGE if state.day <= site.sabotaged_until else 1.0
    accident = _accident_factor(state, 100 + site.number, chain)
    return site.facilities[chain] * sabotage * accident * hull_condition(state, site.platform)


def _strike_factor(hub: Hub, row: ChainRow) -> float:
    strikes = (crisis for crisis in hub.crises if crisis.kind is CrisisKind.STRIKE)
    return STRIKE if any(crisis.vocation is row.vocation for crisis in strikes) else 1.0


def _accident_factor(state: CampaignState, place: int, chain: Chain) -> float:
    has_accident = uniform(state, Stream.ACCIDENTS, place, list(Chain).index(chain), 0) < ACCIDENT_CHANCE
    return ACCIDENT if has_accident else 1.0


def _run_in_hub(state: CampaignState, hub: Hub, row: ChainRow, capacity: float) -> None:
    inputs = chain_inputs(row, hub.kind)
    batches = capacity
    for resource, amount in inputs:
        batches = fmin(batches, fmax(hub.stock[resource] - RESERVE_DAYS * daily_need(hub, resource), 0.0) / amount)
    if row.draws_reserve:
        batches = fmin(batches, hub.reserve)
        hub.reserve -= batches
    for resource, amount in inputs:
        hub_use(state, hub, resource, batches * amount, Flow.PROCESSED)
    for resource in Resource:
        if resource in row.outputs:
            hub_gain(state, hub, resource, batches * row.outputs[resource], Flow.PRODUCED)


def _run_in_site(state: CampaignState, hub: Hub, site: Site, row: ChainRow, capacity: float) -> None:
    if not site.is_cut_off:
        _run_in_hub(state, hub, row, capacity)
        return
    batches = capacity
    for resource in Resource:
        if row.inputs.get(resource, 0.0) > 0.0:
            batches = fmin(batches, site.store[resource] / row.inputs[resource])
        if resource in row.outputs:
            # What could not be stored is not made, so that nothing has to be thrown away.
            full = STORE_DAYS * site.facilities[row.name] * row.outputs[resource]
            batches = fmin(batches, fmax(full - site.store[resource], 0.0) / row.outputs[resource])
    for resource in Resource:
        if resource in row.inputs:
            use(state, site.store, resource, batches * row.inputs[resource], Flow.PROCESSED)
        if resource in row.outputs:
            gain(state, site.store, resource, batches * row.outputs[resource], Flow.PRODUCED)
