"""The facts of a render state under names and types, as far as the picture shows them."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from diorama.worlds.moments import Amount, Count, Fraction, Label, at_most
from diorama.worlds.prospector.contract import MAX_ASTEROIDS, MAX_NEIGHBORS, N_COMMODITIES

PerCommodity = Annotated[tuple[Amount, ...], Field(min_length=N_COMMODITIES, max_length=N_COMMODITIES)]
Units = Annotated[float, Field(ge=0.0, le=1e4)]
Price = Annotated[float, Field(ge=0.0, le=1e6)]
Prices = Annotated[tuple[Price, ...], Field(min_length=N_COMMODITIES, max_length=N_COMMODITIES)]


class _Facts(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ShipFacts(_Facts):
    """The ship."""

    fuel: Amount
    hull: Amount
    heat: Amount
    tool: Amount
    alert: Amount
    cargo: Annotated[tuple[Units, ...], Field(min_length=N_COMMODITIES, max_length=N_COMMODITIES)]
    cargo_total: Amount
    repair_kits: Count
    stabilizers: Count
    decoys: Count


class NodeFacts(_Facts):
    """Where the ship is."""

    index: Count
    type: Label
    steps_to_station: int


class NeighborFacts(_Facts):
    """A place that can be traveled to."""

    slot: Annotated[int, Field(ge=0, lt=MAX_NEIGHBORS)]
    type: Label
    threat_est: Amount


class AsteroidFacts(_Facts):
    """A rock, as far as the pilot knows it."""

    slot: Annotated[int, Field(ge=0, lt=MAX_ASTEROIDS)]
    comp_est: PerCommodity
    depletion: Amount
    scan_conf: Fraction
    selected: bool
    stabilize_ticks: Count


class MarketFacts(_Facts):
    """Prices and how they moved."""

    price: Prices
    delta: PerCommodity


class RenderFacts(_Facts):
    """Everything the picture shows."""

    time: Count
    time_remaining: Amount
    credits: Amount
    net_profit: Amount
    survival: Amount
    node_context: Label
    ship: ShipFacts
    node: NodeFacts
    neighbors: Annotated[tuple[NeighborFacts, ...], at_most(MAX_NEIGHBORS)]
    asteroids: Annotated[tuple[AsteroidFacts, ...], at_most(MAX_ASTEROIDS)]
    market: MarketFacts
