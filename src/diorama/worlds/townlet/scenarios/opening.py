"""From a scenario to the town it begins with."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from diorama.contracts.casts import CastOpening
from diorama.contracts.errors import ConfigError
from diorama.contracts.values import U64
from diorama.worlds.townlet.codes import NEED_NAMES, NOTHING
from diorama.worlds.townlet.config.loading import overlaid, validated
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.config.world import InitialNeeds
from diorama.worlds.townlet.data.reading import parse_yaml, read_named
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.spawning import Arrival
from diorama.worlds.townlet.reference.tick import begin_tick
from diorama.worlds.townlet.reference.words import snapshot_words
from diorama.worlds.townlet.scenarios.loading import StoredScenario, load_scenario
from diorama.worlds.townlet.scenarios.model import CitizenEntry, Scenario
from diorama.worlds.townlet.tables.compiling import compile_tables
from diorama.worlds.townlet.tables.personalities import profile_names
from diorama.worlds.townlet.tables.sources import read_sources
from diorama.worlds.townlet.tables.town_tables import TownTables

_NO_JOB: Final = "none"


def config_of(stored: StoredScenario) -> TownletConfig:
    """The configuration of a scenario: its base, its overrides, and what follows from it.

    Raises:
        ConfigError: With the path of every wrong value and what would be right.
    """
    scenario = stored.scenario
    base: dict[str, object] = {} if scenario.base is None else _base(scenario.base, stored.folder)
    settled: dict[str, object] = {"config_id": scenario.name, "seed": scenario.seed, "episode_ticks": scenario.ticks}
    if scenario.citizens:
        settled["world"] = {"population": len(scenario.citizens)}
    merged = overlaid(overlaid({**base, **settled}, scenario.overrides), settled)
    return validated(TownletConfig, merged, f"scenario {scenario.name}")


def tables_of(stored: StoredScenario, config: TownletConfig) -> TownTables:
    """The tables of a scenario, its own objects among the others."""
    return compile_tables(config, read_sources(config, stored.folder), further_objects=stored.scenario.objects)


def open_scenario(stored: StoredScenario, seed: int | None = None) -> Town:
    """Build the town of a scenario at tick 0, before its first stage.

    Args:
        stored: The scenario.
        seed: Of its streams; the scenario's own unless given.

    Raises:
        ConfigError: Its configuration or its citizens do not fit the town.
    """
    config = config_of(stored)
    tables = tables_of(stored, config)
    arrivals = arrivals_of(stored.scenario, tables, config.world.initial_needs)
    return open_town(tables, config, config.seed if seed is None else seed, arrivals)


def arrivals_of(scenario: Scenario, tables: TownTables, usual: InitialNeeds) -> list[Arrival] | None:
    """Who lives there, by seat; None for whoever the configuration says.

    Raises:
        ConfigError: A citizen is put where nobody can stand, or has a job, home or profile that does not exist.
    """
    if not scenario.citizens:
        return None
    return [
        _arrival(citizen, tables, usual, f"scenario {scenario.name}: citizen {citizen.id}")
        for citizen in scenario.citizens
    ]


def scenario_opening(name: str) -> CastOpening[TownletConfig]:
    """How an environment opens a scenario: its town and citizens; scripts and timeline are left to whoever plays.

    The citizens have the ids that are generated, so that they are agents like any others.

    Raises:
        UnknownName: There is no such scenario.
        ConfigError: It has objects of its own, which a batch does not know.
    """
    stored = load_scenario(name)
    if stored.scenario.objects:
        raise ConfigError(f"scenario {name}: has objects of its own, which are not in a batch of towns")
    config = config_of(stored)
    tables = tables_of(stored, config)
    arrivals = arrivals_of(stored.scenario, tables, config.world.initial_needs)
    nameless = None if arrivals is None else [replace(arrival, agent_id=None) for arrival in arrivals]

    def words(seed: int) -> U64:
        town = open_town(tables, config, seed, nameless)
        begin_tick(town)
        return snapshot_words(town)

    return CastOpening(config=config, words=words)


def _base(name: str, folder: Path | None) -> dict[str, object]:
    document = parse_yaml(read_named(name, folder), name)
    if not isinstance(document, dict):
        raise ConfigError(f"{name}: holds no mapping; a configuration is one")
    return document


def _arrival(citizen: CitizenEntry, tables: TownTables, usual: InitialNeeds, place: str) -> Arrival:
    return Arrival(
        agent_id=citizen.id,
        display_name=citizen.name,
        tile=_tile(citizen, tables, place),
        needs=_needs(citizen, usual),
        wallet=citizen.wallet,
        food_raw=citizen.food_raw,
        job=_job(citizen, tables, place),
        profile=_index(citizen.profile, profile_names(), f"{place}: profile"),
        home=_index(citizen.home, [zone.id for zone in tables.map.zones], f"{place}: home"),
    )


def _tile(citizen: CitizenEntry, tables: TownTables, place: str) -> int | None:
    if citizen.position is None:
        return None
    x, y = citizen.position
    town_map = tables.map
    is_inside = 0 <= x < town_map.width and 0 <= y < town_map.height
    if not is_inside or not town_map.walkable[town_map.tile(x, y)]:
        raise ConfigError(f"{place}: nobody can stand at {[x, y]}")
    return town_map.tile(x, y)


def _needs(citizen: CitizenEntry, usual: InitialNeeds) -> tuple[float, float, float]:
    hunger, hygiene, energy = (
        citizen.needs.get(name, need) for name, need in zip(NEED_NAMES, usual.values, strict=True)
    )
    return hunger, hygiene, energy


def _job(citizen: CitizenEntry, tables: TownTables, place: str) -> int | None:
    if citizen.job == _NO_JOB:
        return NOTHING
    return _index(citizen.job, [job.id for job in tables.jobs], f"{place}: job")


def _index(name: str | None, known: list[str] | tuple[str, ...], place: str) -> int | None:
    if name is None:
        return None
    if name not in known:
        raise ConfigError(f"{place} {name!r} does not exist; there are: {', '.join(known)}")
    return known.index(name)
