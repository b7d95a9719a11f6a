"""What words must hold before a town can be made of them: every list is as long as its tables say."""

from collections.abc import Sequence

from diorama.contracts.errors import SnapshotError
from diorama.snapshots import check_bounds
from diorama.worlds.townlet.codes import NEED_NAMES, NOTHING, TRAIT_NAMES, EvictionReason, Price, Utility
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.reference.state.citizen import BUCKETS, Citizen
from diorama.worlds.townlet.reference.state.objects import ObjectState
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.tables.town_tables import TownTables


def check_fit(
    citizens: Sequence[Citizen], objects: Sequence[ObjectState], tables: TownTables, config: SimulationConfig
) -> None:
    """Refuse citizens and objects that do not belong to these tables, before a town is made of them.

    Raises:
        SnapshotError: With the first thing that is wrong.
    """
    items, seats = len(tables.items), config.world.seats
    _check_length("the list of objects", objects, len(tables.objects))
    taken: set[int] = set()
    for citizen in citizens:
        check_bounds("a citizen", [("seat", citizen.seat, 0, seats - 1)])
        if citizen.seat in taken:
            raise SnapshotError(f"two citizens have the seat {citizen.seat}; each must have its own")
        taken.add(citizen.seat)
        owner = f"the citizen on seat {citizen.seat}"
        tile = ("tile", citizen.tile, 0, len(tables.map.walkable) - 1)
        check_bounds(owner, [tile, ("job", citizen.job, NOTHING, len(tables.jobs) - 1)])
        _check_length(f"{owner}: inventory", citizen.inventory, items)
    for index, state in enumerate(objects):
        check_bounds(f"object {index}", [("running", state.running, NOTHING, len(tables.affordances) - 1)])
        _check_length(f"object {index}: stock", state.stock, items)
        _check_length(f"object {index}: cooldowns", state.cooldowns, seats)


def check_fixed(town: Town) -> None:
    """Refuse lists that have the same length in every town, and here another one.

    Raises:
        SnapshotError: With the first of them.
    """
    lengths: list[tuple[Sequence[float], int]] = [
        (town.economy.baselines, len(Price)),
        (town.economy.live, len(Price)),
        (town.economy.outages, len(Utility)),
    ]
    for citizen in town.living():
        fitness = citizen.fitness
        lengths += [
            (citizen.traits, len(TRAIT_NAMES)),
            (citizen.needs, len(NEED_NAMES)),
            (citizen.decline.neglect, BUCKETS),
            (fitness.returns, BUCKETS),
            (fitness.deficits, BUCKETS),
            (fitness.ticks, BUCKETS),
            (fitness.violations, BUCKETS),
        ]
    for values, right in lengths:
        _check_length("a list", values, right)


def check_complete(town: Town) -> None:
    """Refuse ledgers in which seats, slots or perturbations are missing, or too many.

    Raises:
        SnapshotError: With the first such list.
    """
    seats, slots, kpis = len(town.seats), town.config.embedding_allocator.max_slots, town.kpis
    _check_length("vacated", town.lifecycle.vacated, seats)
    _check_length("holders", town.embedding.holders, slots)
    _check_length("released", town.embedding.released, slots)
    _check_length("ready_ticks", town.perturbations.ready_ticks, len(town.tables.perturbations))
    _check_length("meal_ticks", town.social.meal_ticks, seats * seats)
    _check_length("well_ticks", kpis.well_ticks, seats)
    _check_length("lived_ticks", kpis.lived_ticks, seats)
    _check_length("hungry_streaks", kpis.hungry_streaks, seats)
    _check_length("conflict_pairs", kpis.conflict_pairs, seats * seats)
    for window in town.social.churn:
        _check_length("by_reason", window.by_reason, len(EvictionReason))
        _check_length("by_owner", window.by_owner, seats)


def _check_length(name: str, values: Sequence[object], right: int) -> None:
    if len(values) != right:
        raise SnapshotError(f"{name} has {len(values)} entries; it must have {right}")
