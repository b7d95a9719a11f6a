"""From a configuration and its files to the tables of a town."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.codes import NOTHING, Role
from diorama.worlds.townlet.config.checks import wage_ratio
from diorama.worlds.townlet.config.economy import basket_cost
from diorama.worlds.townlet.config.identity import effective_id
from diorama.worlds.townlet.config.loading import validated
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.data.reading import parse_yaml
from diorama.worlds.townlet.tables.affordances import AffordanceRow, compile_affordances, roles_of
from diorama.worlds.townlet.tables.custom_hooks import load_hooks
from diorama.worlds.townlet.tables.documents import AffordanceEntry, ObjectEntry, TownFile
from diorama.worlds.townlet.tables.manifest import item_names, read_manifest, type_names
from diorama.worlds.townlet.tables.mapping import build_map
from diorama.worlds.townlet.tables.paths import MAX_GOALS, UNREACHABLE, PathService, paths_of
from diorama.worlds.townlet.tables.personalities import profile_names, profiles
from diorama.worlds.townlet.tables.perturbations import compile_perturbations, read_events
from diorama.worlds.townlet.tables.places import ObjectRow, TownMap
from diorama.worlds.townlet.tables.problems import Problems
from diorama.worlds.townlet.tables.sources import Sources, read_sources
from diorama.worlds.townlet.tables.town_tables import JobRow, ManifestInfo, TownTables

MAX_OBJECTS: Final = 64
MAX_ZONES: Final = 64


def load_tables(config: SimulationConfig, folder: Path | None = None) -> TownTables:
    """Read the files of a configuration and compile them; see `compile_tables`."""
    return compile_tables(config, read_sources(config, folder))


def compile_tables(
    config: SimulationConfig,
    sources: Sources,
    further_objects: Sequence[ObjectEntry] = (),
    further_affordances: Sequence[AffordanceEntry] = (),
) -> TownTables:
    """Compile a town.

    Args:
        config: The configuration.
        sources: Its files.
        further_objects: Objects that follow those of the files and behave just like them.
        further_affordances: Affordances that follow those of the manifest, likewise.

    Raises:
        ConfigError: Something in a file, or in what the configuration says of the map, is wrong; with every place.
    """
    town = validated(TownFile, parse_yaml(sources.town.data, sources.town.name), sources.town.name)
    of_town, of_manifest = Problems(sources.town.name), Problems(sources.affordances.name)
    of_config = Problems(f"configuration {config.config_id!r}")
    manifest = read_manifest(sources.affordances, of_manifest)
    manifest = replace(manifest, affordances=(*manifest.affordances, *further_affordances))
    objects = (*town.objects, *manifest.objects, *further_objects)
    items = item_names(manifest, objects, of_manifest)
    types = type_names(manifest, objects, of_manifest)
    custom = load_hooks(config.affordances.hook_modules)
    of_manifest.raise_if_any()
    rows = compile_affordances(manifest.affordances, types=types, items=items, custom=custom, problems=of_manifest)
    of_manifest.raise_if_any()
    _check_size(config, town, objects, of_town)
    town_map, object_rows = build_map(
        town,
        objects,
        spawn_places=config.world.spawn_tiles or town.spawn_tiles,
        types=types,
        items=items,
        problems=of_town,
    )
    paths = paths_of(town_map)
    by_type = tuple(tuple(row for row in rows if row.type == number) for number in range(len(types)))
    beds = _beds(rows, object_rows)
    jobs = _jobs(config, town_map, of_config)
    _check_population(config, beds, types, of_config)
    of_perturbations = Problems(sources.perturbations.name if sources.perturbations else "perturbations.events")
    events = read_events(config, sources.perturbations)
    perturbations, buckets = compile_perturbations(events, config.economy, town_map, of_perturbations)
    of_perturbations.raise_if_any()
    of_config.raise_if_any()
    _check_reachable(town_map, object_rows, jobs, paths, of_town)
    _check_goals(town_map, object_rows, jobs, of_town)
    of_town.raise_if_any()
    return TownTables(
        map=town_map,
        paths=paths,
        objects=object_rows,
        types=types,
        items=items,
        affordances=rows,
        by_type=by_type,
        roles=roles_of(rows),
        custom_hooks=custom,
        jobs=jobs,
        profiles=profiles(),
        perturbations=perturbations,
        buckets=buckets,
        beds=beds,
        reach=_reach(object_rows, paths, config.queue_fairness.request_radius),
        open_to=tuple(_open_objects(town_map, object_rows, rows, role) for role in Role),
        home_fridge=_home_objects(town_map, object_rows, rows, Role.EAT),
        home_stove=_home_objects(town_map, object_rows, rows, Role.COOK),
        cafe_zone=town_map.zone_index("cafe"),
        park_zone=town_map.zone_index("park"),
        town_checksum=sources.town.sha256,
        effective_id=effective_id(config, sources.town.sha256),
        manifest=ManifestInfo(
            path=sources.affordances.name,
            sha256=sources.affordances.sha256,
            object_count=len(manifest.objects),
            affordance_count=len(rows),
        ),
        warnings=(*_unusable(object_rows, by_type, types), *_rich_jobs(config)),
    )


def goal_tiles(town_map: TownMap, objects: Sequence[ObjectRow], jobs: Sequence[JobRow]) -> tuple[int, ...]:
    """Every tile somebody may be sent to, ascending."""
    goals = {tile for row in objects for tile in (row.use_tile, *row.queue_tiles)}
    goals |= {tile for zone in town_map.zones for tile in zone.stand_tiles}
    goals |= {zone.door for zone in town_map.zones if zone.door != NOTHING}
    return tuple(sorted(goals | {job.tile for job in jobs}))


def _check_size(config: SimulationConfig, town: TownFile, objects: Sequence[ObjectEntry], problems: Problems) -> None:
    if town.size != config.world.grid_size:
        problems.add("size", f"{list(town.size)} is not the configured grid_size {list(config.world.grid_size)}")
    if len(objects) > MAX_OBJECTS:
        problems.add("objects", f"{len(objects)} objects; at most {MAX_OBJECTS} are possible")
    if len(town.zones) > MAX_ZONES:
        problems.add("zones", f"{len(town.zones)} zones; at most {MAX_ZONES} are possible")
    problems.raise_if_any()


def _jobs(config: SimulationConfig, town_map: TownMap, problems: Problems) -> tuple[JobRow, ...]:
    rows: list[JobRow] = []
    for name, job in config.jobs.items():
        zone = town_map.zone_index(job.zone)
        x, y = job.location
        is_inside = 0 <= x < town_map.width and 0 <= y < town_map.height
        tile = town_map.tile(x, y) if is_inside else NOTHING
        if zone == NOTHING:
            problems.add(f"jobs.{name}.zone", f"there is no zone {job.zone!r}")
        if not is_inside or not town_map.walkable[tile]:
            problems.add(f"jobs.{name}.location", f"{list(job.location)} cannot be walked on")
        elif zone != NOTHING and town_map.zone_of[tile] != zone:
            problems.add(f"jobs.{name}.location", f"{list(job.location)} is not in the zone {job.zone!r}")
        rows.append(
            JobRow(
                index=len(rows),
                id=name,
                start=job.start_tick,
                end=job.end_tick,
                wage_rate=job.wage_rate,
                lateness_penalty=job.lateness_penalty,
                tile=tile,
                zone=zone,
            )
        )
    return tuple(rows)


def _beds(rows: Sequence[AffordanceRow], objects: Sequence[ObjectRow]) -> tuple[int, ...]:
    sleeping = roles_of(rows)[Role.SLEEP]
    if sleeping == NOTHING:
        return ()
    return tuple(row.index for row in objects if row.type == rows[sleeping].type and row.zone != NOTHING)


def _check_population(config: SimulationConfig, beds: Sequence[int], types: Sequence[str], problems: Problems) -> None:
    if config.world.population > len(beds):
        problems.add("world.population", f"{config.world.population} citizens, but the town has {len(beds)} beds")
    for name in config.observations.compact.object_channels:
        if name not in types:
            problems.add("observations.compact.object_channels", f"no object is a {name!r}; types: {', '.join(types)}")
    for name in (*config.personalities.distribution, *config.personalities.overrides.values()):
        if name not in profile_names():
            problems.add("personalities", f"there is no profile {name!r}; there are: {', '.join(profile_names())}")


def _check_reachable(
    town_map: TownMap, objects: Sequence[ObjectRow], jobs: Sequence[JobRow], paths: PathService, problems: Problems
) -> None:
    field = paths.field(town_map.spawn_tiles[0])
    places = [(f"objects.{row.id}.use_tile", row.use_tile) for row in objects]
    places += [(f"zones.{zone.id}.door", zone.door) for zone in town_map.zones if zone.door != NOTHING]
    places += [(f"jobs.{job.id}.location", job.tile) for job in jobs]
    places += [(f"spawn_tiles.{number}", tile) for number, tile in enumerate(town_map.spawn_tiles)]
    for place, tile in places:
        if field[tile] == UNREACHABLE:
            problems.add(place, f"{list(town_map.xy(tile))} cannot be reached from the first spawn tile")


def _check_goals(town_map: TownMap, objects: Sequence[ObjectRow], jobs: Sequence[JobRow], problems: Problems) -> None:
    count = len(goal_tiles(town_map, objects, jobs))
    if count > MAX_GOALS:
        problems.add(
            "zones", f"people could be sent to {count} tiles; at most {MAX_GOALS} are possible (use stand_rect)"
        )


def _reach(objects: Sequence[ObjectRow], paths: PathService, radius: int) -> tuple[int, ...]:
    fields = [paths.field(row.use_tile) for row in objects]
    nearest = []
    for tile in range(len(paths.neighbors)):
        best, best_distance = NOTHING, radius + 1
        for row, field in zip(objects, fields, strict=True):
            if field[tile] < best_distance:
                best, best_distance = row.index, field[tile]
        nearest.append(best)
    return tuple(nearest)


def _home_objects(
    town_map: TownMap, objects: Sequence[ObjectRow], rows: Sequence[AffordanceRow], role: Role
) -> tuple[int, ...]:
    affordance = roles_of(rows)[role]
    found = [NOTHING] * len(town_map.zones)
    for row in reversed(objects):
        if row.is_residents and affordance != NOTHING and row.type == rows[affordance].type:
            found[row.zone] = row.index
    return tuple(found)


def _open_objects(
    town_map: TownMap, objects: Sequence[ObjectRow], rows: Sequence[AffordanceRow], role: Role
) -> tuple[tuple[int, ...], ...]:
    affordance = roles_of(rows)[role]
    fitting = [row for row in objects if affordance != NOTHING and row.type == rows[affordance].type]
    return tuple(
        tuple(row.index for row in fitting if not row.is_residents or row.zone == zone.index) for zone in town_map.zones
    )


def _unusable(
    objects: Sequence[ObjectRow], by_type: Sequence[Sequence[AffordanceRow]], types: Sequence[str]
) -> list[str]:
    return [
        f"object {row.id}: nothing can be done with a {types[row.type]}" for row in objects if not by_type[row.type]
    ]


def _rich_jobs(config: SimulationConfig) -> list[str]:
    basket = basket_cost(config.economy.prices)
    ratios = {
        name: wage_ratio(job.shift_ticks, job.wage_rate or config.economy.wage_income, basket)
        for name, job in config.jobs.items()
    }
    return [
        f"job {name}: a day's wage is {ratio:.4g} of the basket, more than {config.economy.slack_max}"
        for name, ratio in ratios.items()
        if ratio > config.economy.slack_max
    ]


def require_batch_hooks(tables: TownTables) -> None:
    """Refuse tables whose hooks cannot run in a batch.

    Raises:
        ConfigError: A custom hook is not deferred.
    """
    if immediate := [hook.name for hook in tables.custom_hooks if not hook.is_deferred]:
        raise ConfigError(
            f"affordances.hook_modules: {immediate[0]!r} is not deferred; batches run deferred hooks only"
        )
