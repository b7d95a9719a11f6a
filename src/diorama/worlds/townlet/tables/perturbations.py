"""Perturbations compiled to rows, in the order in which they are drawn."""

from collections.abc import Mapping
from dataclasses import dataclass

from diorama.contracts.errors import ConfigError
from diorama.worlds.townlet.codes import NOTHING, PerturbationKind, Price, Utility
from diorama.worlds.townlet.config.economy import PRICE_KEYS, Economy
from diorama.worlds.townlet.config.happenings import PerturbationSpec
from diorama.worlds.townlet.config.loading import validated
from diorama.worlds.townlet.config.ordered import mapping_of
from diorama.worlds.townlet.config.simulation import SimulationConfig
from diorama.worlds.townlet.data.reading import parse_yaml
from diorama.worlds.townlet.tables.places import TownMap
from diorama.worlds.townlet.tables.problems import Problems
from diorama.worlds.townlet.tables.sources import Source

UTILITY_OF = {PerturbationKind.BLACKOUT: Utility.POWER, PerturbationKind.OUTAGE: Utility.WATER}


@dataclass(frozen=True, slots=True, kw_only=True)
class PerturbationRow:
    """One kind of event that can befall the town.

    Attributes:
        bucket: Index into the names of fairness buckets.
        duration: Least and most ticks.
        magnitude: Least and most factor on prices; 1 for other kinds.
        prices: Prices a spike multiplies.
        utility: What an outage turns off, -1 for other kinds.
        zone: Where a meeting takes place, -1 for other kinds.
        picks_rivals: Whether the worst rivals are asked to meet, rather than anybody.
        max_participants: Most citizens who are asked to meet; 0 for other kinds.
    """

    index: int
    name: str
    kind: PerturbationKind
    prob_per_day: float
    cooldown_ticks: int
    bucket: int
    duration: tuple[int, int]
    magnitude: tuple[float, float]
    prices: tuple[Price, ...]
    utility: int
    zone: int
    picks_rivals: bool
    max_participants: int


def read_events(config: SimulationConfig, source: Source | None) -> Mapping[str, PerturbationSpec]:
    """Return the events of the configuration, or of its file.

    Raises:
        ConfigError: The file is wrong; with every place.
    """
    if config.perturbations.events is not None or source is None:
        return config.perturbations.events or {}
    try:
        document = mapping_of(parse_yaml(source.data, source.name) or {})
    except ValueError as error:
        raise ConfigError(f"{source.name}: {error}") from None
    if not isinstance(document, Mapping):
        raise ConfigError(f"{source.name}: holds a {type(document).__name__}; it must be a mapping of events by name")
    return {str(name): validated(PerturbationSpec, entry, f"{source.name}: {name}") for name, entry in document.items()}


def compile_perturbations(
    specs: Mapping[str, PerturbationSpec], economy: Economy, town_map: TownMap, problems: Problems
) -> tuple[tuple[PerturbationRow, ...], tuple[str, ...]]:
    """Return the rows in order, and the names of the fairness buckets; what is wrong is noted."""
    buckets = tuple(dict.fromkeys(spec.fairness_bucket for spec in specs.values()))
    rows = tuple(
        PerturbationRow(
            index=index,
            name=name,
            kind=PerturbationKind[spec.kind.upper()],
            prob_per_day=spec.prob_per_day,
            cooldown_ticks=spec.cooldown_ticks,
            bucket=buckets.index(spec.fairness_bucket),
            duration=spec.duration,
            magnitude=spec.magnitude or (1.0, 1.0),
            prices=_prices(name, spec, economy, problems),
            utility=UTILITY_OF.get(PerturbationKind[spec.kind.upper()], NOTHING),
            zone=_zone(name, spec, town_map, problems),
            picks_rivals=spec.target != "random",
            max_participants=0 if spec.kind != "arranged_meet" else spec.max_participants or 2,
        )
        for index, (name, spec) in enumerate(specs.items())
    )
    return rows, buckets


def prices_of(targets: tuple[str, ...], economy: Economy) -> tuple[Price, ...]:
    """Prices that targets of a spike stand for, in the order of the prices; unknown targets stand for none."""
    keys = {key for target in targets for key in economy.keys_of(target)}
    return tuple(Price(number) for number, key in enumerate(PRICE_KEYS) if key in keys)


def _prices(name: str, spec: PerturbationSpec, economy: Economy, problems: Problems) -> tuple[Price, ...]:
    for target in spec.targets or ():
        if not economy.keys_of(target):
            problems.add(f"{name}.targets", f"{target!r} is neither a price group nor a price")
    return prices_of(spec.targets or (), economy)


def _zone(name: str, spec: PerturbationSpec, town_map: TownMap, problems: Problems) -> int:
    if spec.location is None:
        return NOTHING
    zone = town_map.zone_index(spec.location)
    if zone == NOTHING:
        problems.add(f"{name}.location", f"there is no zone {spec.location!r}")
    return zone
