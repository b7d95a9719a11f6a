"""A new town: empty books, and the first population in it."""

from collections.abc import Sequence

from diorama.worlds.townlet.codes import NEVER, NOBODY
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.reference.state.employment import EmploymentLedger
from diorama.worlds.townlet.reference.state.ledgers import (
    EconomyState,
    EmbeddingPool,
    LifecycleLedger,
    LiveRules,
    QueueMetrics,
    SocialLedger,
)
from diorama.worlds.townlet.reference.state.objects import ObjectState
from diorama.worlds.townlet.reference.state.perturbations import PerturbationState
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.streams import Streams
from diorama.worlds.townlet.reference.systems.kpis import open_window
from diorama.worlds.townlet.reference.systems.spawning import Arrival, populate
from diorama.worlds.townlet.tables.town_tables import TownTables


def open_town(
    tables: TownTables, config: SimulationConfig, seed: int, arrivals: Sequence[Arrival] | None = None
) -> Town:
    """Build a town at tick 0, before its first stage.

    Args:
        tables: Compiled from the configuration.
        config: The configuration.
        seed: Of its three streams.
        arrivals: Who lives there, by seat; as many as configured, with nothing special about them, unless given.
    """
    town = empty_town(tables, config, seed)
    populate(town, tuple(arrivals) if arrivals is not None else (Arrival(),) * config.world.population)
    return town


def empty_town(tables: TownTables, config: SimulationConfig, seed: int) -> Town:
    """Build a town without anybody in it."""
    seats = config.world.seats
    prices = list(config.economy.prices)
    return Town(
        tables=tables,
        config=config,
        seed=seed,
        streams=Streams.of_seed(seed),
        tick=0,
        next_number=0,
        seats=[None] * seats,
        objects=[ObjectState(stock=list(row.stock), cooldowns=[NEVER] * seats) for row in tables.objects],
        economy=EconomyState(baselines=prices, live=[*prices]),
        rules=live_rules(config),
        employment=EmploymentLedger(),
        lifecycle=LifecycleLedger(vacated=[NEVER] * seats),
        embedding=EmbeddingPool(
            holders=[NOBODY] * config.embedding_allocator.max_slots,
            released=[NEVER] * config.embedding_allocator.max_slots,
        ),
        perturbations=PerturbationState(ready_ticks=[NEVER] * len(tables.perturbations)),
        queues=QueueMetrics(),
        social=SocialLedger(meal_ticks=[NEVER] * (seats * seats)),
        kpis=open_window(seats, 0),
        occupancy=[0] * len(tables.map.walkable),
    )


def live_rules(config: SimulationConfig) -> LiveRules:
    """The rules an operator may change, as configured."""
    rule = config.lifecycle
    return LiveRules(
        mortality=True,
        max_exits_per_day=rule.max_exits_per_day,
        daily_exit_cap=config.employment.daily_exit_cap,
        spawn_delay_min=rule.spawn_delay_ticks[0],
        spawn_delay_max=rule.spawn_delay_ticks[1],
        collapse_threshold=rule.collapse.threshold,
        collapse_ticks=rule.collapse.ticks,
    )
