"""The matrix of a parity run: which suites, seeds and configurations two tiers are compared under."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.plans import ActionSuite
from diorama.contracts.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A configuration the matrix is run under, with the label that names it in reports and directories."""

    label: str
    config: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One comparison: a suite of actions from one seed under one configuration."""

    world: str
    suite: str
    seed: int
    column: Column
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which part of a world's plan to run; None takes what the plan says.

    Attributes:
        is_full: All suites and configurations instead of the minimum gate.
        suites: Names of suites.
        seeds: Number of seeds.
        seed_start: The first seed.
        steps: Decisions per case.
        columns: Configurations instead of the plan's.
    """

    is_full: bool = False
    suites: tuple[str, ...] | None = None
    seeds: int | None = None
    seed_start: int = 0
    steps: int | None = None
    columns: tuple[Column, ...] | None = None


def plan_cases(world: World[WorldConfig], selection: Selection) -> tuple[Case, ...]:
    """Return the selected cases: configuration by configuration, suite by suite, seed by seed.

    Raises:
        UnknownName: A suite does not exist.
        ConfigError: A number is too small, the world does not take a configuration, or it has no suites.
    """
    plan, is_full = world.parity, selection.is_full
    seeds = _positive("seeds", selection.seeds, plan.seeds if is_full else plan.quick_seeds or plan.seeds)
    steps = _positive("steps", selection.steps, plan.steps if is_full else plan.quick_steps or plan.steps)
    columns = _columns(world, selection)
    for column in columns:
        parse_config(world.id, world.config_type, column.config)
    return tuple(
        Case(world=world.id, suite=suite, seed=seed, column=column, steps=steps)
        for column in columns
        for suite in _suite_names(world, selection)
        for seed in range(selection.seed_start, selection.seed_start + seeds)
    )


def find_suite(world: World[WorldConfig], name: str) -> ActionSuite:
    """Return a suite of the world's plan by its name."""
    for suite in world.parity.suites:
        if suite.name == name:
            return suite
    raise UnknownName.among(f"parity suite of {world.id!r}", name, (suite.name for suite in world.parity.suites))


def time_columns(world: World[WorldConfig], budgets: Sequence[float]) -> tuple[Column, ...]:
    """Return one configuration per tick budget.

    Raises:
        ConfigError: The world has no tick budget.
    """
    if "time_max" not in world.config_type.model_fields:
        keys = ", ".join(world.config_type.model_fields)
        raise ConfigError(f"{world.id}: there is no key 'time_max' to set; keys are: {keys}")
    return tuple(Column(label=f"time-{budget:g}", config={"time_max": budget}) for budget in budgets)


def _positive(name: str, chosen: int | None, planned: int) -> int:
    if chosen is not None and chosen < 1:
        raise ConfigError(f"{name} is {chosen}; use 1 or more")
    return planned if chosen is None else chosen


def _columns(world: World[WorldConfig], selection: Selection) -> tuple[Column, ...]:
    if selection.columns is not None:
        return selection.columns
    plan = world.parity
    planned = plan.configs if selection.is_full else plan.configs[: plan.quick_configs]
    return tuple(
        Column(label=label, config=dict(config() if callable(config) else config)) for label, config in planned
    )


def _suite_names(world: World[WorldConfig], selection: Selection) -> tuple[str, ...]:
    if selection.suites is not None:
        return tuple(find_suite(world, name).name for name in selection.suites)
    planned = tuple(suite.name for suite in world.parity.suites) if selection.is_full else world.parity.quick_suites
    if not planned:
        raise ConfigError(f"{world.id}: the world's plan names no parity suites, so there is nothing to compare")
    return planned
