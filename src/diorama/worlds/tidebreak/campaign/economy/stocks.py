"""Every unit that comes, goes or moves passes through here, so that the ledger always explains the stocks."""

from diorama.numerics import fmax, fmin
from diorama.worlds.tidebreak.campaign.kinds import GAINS, Flow, Resource
from diorama.worlds.tidebreak.campaign.state import CampaignState, Hub, Stock, empty_stock


def gain(state: CampaignState, stock: Stock, resource: Resource, amount: float, flow: Flow) -> None:
    """Put new units into a stock; `flow` is one of `GAINS`."""
    stock[resource] += amount
    _enter(state.ledger, flow, resource, amount)


def use(state: CampaignState, stock: Stock, resource: Resource, amount: float, flow: Flow) -> float:
    """Take up to an amount out of a stock for good; returns what was there to take."""
    taken = fmin(fmax(amount, 0.0), stock[resource])
    stock[resource] -= taken
    _enter(state.ledger, flow, resource, taken)
    return taken


def move(source: Stock, target: Stock, resource: Resource, amount: float) -> float:
    """Carry up to an amount from one stock to another; returns what was moved."""
    moved = fmin(fmax(amount, 0.0), source[resource])
    source[resource] -= moved
    target[resource] += moved
    return moved


def hub_gain(state: CampaignState, hub: Hub, resource: Resource, amount: float, flow: Flow) -> None:
    """`gain` that the hub's own account of the day shows as well."""
    gain(state, hub.stock, resource, amount, flow)
    _enter(hub.flows, flow, resource, amount)


def hub_use(state: CampaignState, hub: Hub, resource: Resource, amount: float, flow: Flow) -> float:
    """`use` that the hub's own account of the day shows as well."""
    taken = use(state, hub.stock, resource, amount, flow)
    _enter(hub.flows, flow, resource, taken)
    return taken


def holdings(state: CampaignState) -> Stock:
    """Everything that is stored anywhere: in hubs, sites, fleets, and on ships that are being attacked."""
    total = empty_stock()
    stores: list[dict[Resource, float]] = [hub.stock for hub in state.hubs]
    stores += [site.store for site in state.sites]
    stores += [store for fleet in state.fleets for store in (fleet.supply, fleet.cargo)]
    stores += [encounter.cargo for encounter in state.encounters]
    for store in stores:
        for resource in Resource:
            total[resource] += store.get(resource, 0.0)
    return total


def accounted(state: CampaignState) -> Stock:
    """What the ledger says should be stored."""
    total = empty_stock()
    for flow in Flow:
        sign = 1.0 if flow in GAINS else -1.0
        for resource, amount in state.ledger.get(flow, {}).items():
            total[resource] += sign * amount
    return total


def _enter(ledger: dict[Flow, Stock], flow: Flow, resource: Resource, amount: float) -> None:
    account = ledger.get(flow)
    if account is None:
        account = ledger[flow] = empty_stock()
    account[resource] += amount
