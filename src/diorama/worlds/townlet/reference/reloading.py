"""Taking over a new configuration in a running town, at the start of stage 1."""

from collections.abc import Sequence

from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.codes import NEVER, NOTHING, FailReason, Price
from diorama.worlds.townlet.config.reload import plan_reload
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.events import SCHEMAS, Event, FieldType
from diorama.worlds.townlet.reference.opening import live_rules
from diorama.worlds.townlet.reference.state.objects import ObjectState
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.affordances import fail_running
from diorama.worlds.townlet.reference.systems.collapse import relocate
from diorama.worlds.townlet.reference.systems.movement import nearest_free_tile
from diorama.worlds.townlet.reference.systems.perturbations.effects import end_event
from diorama.worlds.townlet.reference.systems.prices import set_baseline
from diorama.worlds.townlet.reference.systems.queues import free, leave_queue, tell_lost_place
from diorama.worlds.townlet.tables.affordances import AffordanceRow
from diorama.worlds.townlet.tables.places import ObjectRow
from diorama.worlds.townlet.tables.town_tables import TownTables


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
    plan = plan_reload(town.config, config)
    if not plan.is_allowed:
        raise ConfigError(f"restart_required: {', '.join(plan.refused)}")
    if tables.town_checksum != town.tables.town_checksum:
        raise ConfigError("restart_required: the town file has changed")
    kept = {row.id for row in tables.objects}
    if lost := [row.id for row in town.tables.objects if row.index in town.tables.beds and row.id not in kept]:
        raise ConfigError(f"restart_required: somebody may sleep in {lost[0]}")
    before = town.config
    for row in town.tables.objects:
        if row.id not in kept:
            _dissolve(town, row.index)
    _end_lost_events(town, tables)
    town.events = [_renumbered(event, town.tables, tables) for event in town.events]
    _carry_over(town, tables)
    town.tables, town.config = tables, config
    _take_rules(town, before)
    for citizen in town.living():
        if not tables.map.walkable[citizen.tile]:
            relocate(town, citizen, nearest_free_tile(town, tables.map.spawn_tiles[0]))
    return plan.changed


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


def _end_lost_events(town: Town, tables: TownTables) -> None:
    names = {row.name for row in tables.perturbations}
    state, rows = town.perturbations, town.tables.perturbations
    for event in [event for event in state.active if rows[event.spec].name not in names]:
        end_event(town, event)
    state.pending = [event for event in state.pending if rows[event.spec].name in names]


def _carry_over(town: Town, tables: TownTables) -> None:
    """Bring indices and lists of the state in line with the new tables, by name."""
    old = town.tables
    places = {row.id: row.index for row in tables.objects}
    items = [_place(old.items, item) for item in tables.items]
    objects = []
    for row in tables.objects:
        known = _place([former.id for former in old.objects], row.id)
        if known == NOTHING:
            objects.append(ObjectState(stock=list(row.stock), cooldowns=[NEVER] * len(town.seats)))
            continue
        state = town.objects[known]
        state.stock = [0 if place == NOTHING else state.stock[place] for place in items]
        if state.spec is not None:
            state.running = _place([affordance.id for affordance in tables.affordances], state.spec.id)
        objects.append(state)
    for citizen in town.living():
        citizen.inventory = [0 if place == NOTHING else citizen.inventory[place] for place in items]
        citizen.bed = places[old.objects[citizen.bed].id]
        citizen.holding = NOTHING if citizen.holding == NOTHING else places[old.objects[citizen.holding].id]
        citizen.queued = NOTHING if citizen.queued == NOTHING else places[old.objects[citizen.queued].id]
        citizen.plan.goal = NOTHING
    town.objects = objects
    _carry_perturbations(town, tables)


def _carry_perturbations(town: Town, tables: TownTables) -> None:
    state = town.perturbations
    before = [row.name for row in town.tables.perturbations]
    after = [row.name for row in tables.perturbations]
    ready = dict(zip(before, state.ready_ticks, strict=True))
    state.ready_ticks = [ready.get(name, NEVER) for name in after]
    for event in (*state.active, *state.pending):
        event.spec = after.index(before[event.spec])
    buckets = [_place(tables.buckets, bucket) for bucket in town.tables.buckets]
    for start in state.starts:
        start.bucket = buckets[start.bucket]
    state.starts = [start for start in state.starts if start.bucket != NOTHING]


def _renumbered(event: Event, before: TownTables, after: TownTables) -> Event:
    """An event that has not been told yet, with the numbers of the new tables; what is gone is told as nothing."""
    values = [*event.values]
    for place, (_, kind) in enumerate(SCHEMAS[event.kind].fields):
        if kind is FieldType.EFFECTS:
            break  # only numbers follow
        if kind in (FieldType.OBJECT, FieldType.AFFORDANCE) and values[place] != NOTHING:
            rows: Sequence[ObjectRow | AffordanceRow] = before.objects
            new_rows: Sequence[ObjectRow | AffordanceRow] = after.objects
            if kind is FieldType.AFFORDANCE:
                rows, new_rows = before.affordances, after.affordances
            values[place] = _place([row.id for row in new_rows], rows[int(values[place])].id)
        elif kind is FieldType.CONDITION:
            del values[place + 1 :]
            values[place] = NOTHING
            break
    return event._replace(values=tuple(values))


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


def _place(names: Sequence[str], wanted: str) -> int:
    return names.index(wanted) if wanted in names else NOTHING
