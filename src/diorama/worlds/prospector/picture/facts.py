"""The facts of a render state under names and types, as far as the picture shows them."""

from pydantic import BaseModel, ConfigDict


class _Facts(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ShipFacts(_Facts):
    """The ship."""

    fuel: float
    hull: float
    heat: float
    tool: float
    alert: float
    cargo: tuple[float, ...]
    cargo_total: float
    repair_kits: int
    stabilizers: int
    decoys: int


class NodeFacts(_Facts):
    """Where the ship is."""

    index: int
    type: str
    steps_to_station: int


class NeighborFacts(_Facts):
    """A place that can be traveled to."""

    slot: int
    type: str
    threat_est: float


class AsteroidFacts(_Facts):
    """A rock, as far as the pilot knows it."""

    slot: int
    comp_est: tuple[float, ...]
    depletion: float
    scan_conf: float
    selected: bool
    stabilize_ticks: int


class MarketFacts(_Facts):
    """Prices and how they moved."""

    price: tuple[float, ...]
    delta: tuple[float, ...]


class RenderFacts(_Facts):
    """Everything the picture shows."""

    time: int
    time_remaining: float
    credits: float
    net_profit: float
    survival: float
    node_context: str
    ship: ShipFacts
    node: NodeFacts
    neighbors: tuple[NeighborFacts, ...]
    asteroids: tuple[AsteroidFacts, ...]
    market: MarketFacts
