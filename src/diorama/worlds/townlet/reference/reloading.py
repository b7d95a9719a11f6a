"""Taking over a new configuration in a running town, at the start of stage 1."""

from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.codes import NOTHING, FailReason, Price
from diorama.worlds.townlet.config.reload import plan_reload
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.reference.carrying import carry_over, renumbered
from diorama.worlds.townlet.reference.opening import live_rules
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.affordances import fail_running
from diorama.worlds.townlet.reference.systems.collapse import relocate
from diorama.worlds.townlet.reference.systems.movement import nearest_free_tile
from diorama.worlds.townlet.reference.systems.perturbations.effects import end_event
from diorama.worlds.townlet.reference.systems.prices import set_baseline
from diorama.worlds.townlet.reference.systems.queues import free, leave_queue, tell_lost_place
from diorama.worlds.townlet.tables.renumbering import Renumbering
from diorama.worlds.townlet.tables.town_tables import TownTables


def check_reload(
    live_tables: TownTables, live: SimulationConfig, tables: TownTables, config: SimulationConfig
) -> tuple[str, ...]:
    """Return the paths in which a validated candidate differs from what a town runs under.

    Raises:
        ConfigError: Something that needs a restart differs.
    """
    plan = plan_reload(live, config)
    if not plan.is_allowed:
        raise ConfigError(f"restart_required: {', '.join(plan.refused)}")
    if tables.town_checksum != live_tables.town_checksum:
        raise ConfigError("restart_required: the town file has changed")
    kept = {row.id for row in tables.objects}
    if lost := [row.id for row in live_tables.objects if row.index in live_tables.beds and row.id not in kept]:
        raise ConfigError(f"restart_required: somebody may sleep in {lost[0]}")
    return plan.changed


def apply_reload(town: Town, config: SimulationConfig, tables: TownTables) -> tuple[str, ...]:
    """Let a town go on under a new configuration, or refuse it as a whole.

    What is running goes on as it began; objects that are gone take their queues with them, and new things can be used
    at once. Observers made for the old tables must be made anew.

    Args:
        town: A town between two ticks.
        config: A validated candidate.
        tables: Compiled from it.

    Returns:
        The paths that have changed.

    Raises:
        ConfigError: Something that needs a restart differs; nothing has changed then.
    """
    changed = check_reload(town.tables, town.config, tables, config)
    numbers, before = Renumbering.between(town.tables, tables), town.config
    for index, place in enumerate(numbers.objects):
        if place == NOTHING:
            _dissolve(town, index)
    _end_lost_events(town, numbers)
    town.events = [renumbered(event, numbers) for event in town.events]
    carry_over(town, numbers)
    town.tables, town.config = tables, config
    _take_rules(town, before)
    for citizen in town.living():
        if not tables.map.walkable[citizen.tile]:
            relocate(town, citizen, nearest_free_tile(town, tables.map.spawn_tiles[0]))
    return changed


def _dissolve(town: Town, index: int) -> None:
    """Send everybody away from an object that is gone."""
    state = town.objects[index]
    for entry in [*state.queue]:
        citizen = town.citizen(entry.seat)
        leave_queue(town, citizen)
        tell_lost_place(town, citizen, index, FailReason.OBJECT_REMOVED)
    if state.holder != NOTHING:
        holder = town.citizen(state.holder)
        if state.spec is not None:
            fail_running(town, holder, FailReason.OBJECT_REMOVED)
        else:
            free(town, index)
            tell_lost_place(town, holder, index, FailReason.OBJECT_REMOVED)


def _end_lost_events(town: Town, numbers: Renumbering) -> None:
    state = town.perturbations
    for event in [event for event in state.active if numbers.perturbations[event.spec] == NOTHING]:
        end_event(town, event)
    state.pending = [event for event in state.pending if numbers.perturbations[event.spec] != NOTHING]


def _take_rules(town: Town, before: SimulationConfig) -> None:
    """Change live rules and prices where the configuration did; what an operator set otherwise stays."""
    old, new = live_rules(before), live_rules(town.config)
    for name in (
        "max_exits_per_day",
        "daily_exit_cap",
        "spawn_delay_min",
        "spawn_delay_max",
        "collapse_threshold",
        "collapse_ticks",
    ):
        if getattr(old, name) != getattr(new, name):
            setattr(town.rules, name, getattr(new, name))
    for price in Price:
        if before.economy.prices[price] != town.config.economy.prices[price]:
            set_baseline(town, price, town.config.economy.prices[price])
