"""How `tidebreak` is fought by sides: scripts to meet, the stages of the curriculum, and the evaluation suite."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import numpy as np

from diorama.contracts.matches import (
    EMPTY_SEAT,
    CurriculumStage,
    EvaluationSuite,
    MatchRules,
    ObservedMode,
    SuiteScene,
)
from diorama.contracts.records import StepRecord
from diorama.contracts.tiers import BatchCore
from diorama.contracts.values import F64
from diorama.native import NativeCore
from diorama.worlds.tidebreak.codes import Emissions, Layer
from diorama.worlds.tidebreak.config import SCRIPT_NAMES, Played, TidebreakConfig
from diorama.worlds.tidebreak.layout import Own
from diorama.worlds.tidebreak.reward_weights import Component
from diorama.worlds.tidebreak.scenarios.lineup import TEAM_IDS
from diorama.worlds.tidebreak.scenarios.named import EVALUATION_SUITE, load_scenario
from diorama.worlds.tidebreak.scenarios.stages import POOL, STAGES, Stage

ANCHOR: Final = "aggressor"
# The first stage ends after 300 s, in which a corvette that starts more than 8.5 km away cannot sink anybody.
_TIME_LIMITS_S: Final[Mapping[int, int]] = {1: 600}
_SUITE_EPISODES: Final = 50
_SUITE_SEED: Final = 40_000_000
_NOTHING: Final = [0.0] * len(Component)  # of an empty seat
# What another configuration may have said about its battle, taken back.
_NO_BATTLE: Final[Mapping[str, object]] = {
    "stage": None,
    "time_limit_s": None,
    "package": None,
    "earlier_stages": False,
    "ships": (),
    "controllers": {},
}


def against(script: str) -> Mapping[str, object]:
    """Return the overrides under which the other side follows a script."""
    return {"played": Played.SIDE, "opponents": script}


def side_overrides(config: TidebreakConfig) -> tuple[Mapping[str, object], ...]:
    """Return the overrides for each team of a battle that is always the same, unless the side is given."""
    teams = None if config.side is not None or config.ships else _fixed_team_ids(config)
    return () if teams is None else tuple({"side": team_id} for team_id in teams)


def sides(config: TidebreakConfig, record: StepRecord) -> tuple[int, ...]:
    """Return the team of every seat, by its place in the package; -1 where nobody sits."""
    ships = record.info["ships"]
    assert isinstance(ships, list | tuple), "a record names the ship of every seat"
    teams = _fixed_teams(config)
    return tuple(EMPTY_SEAT if ship is None else _team(str(ship), teams) for ship in ships)


def parts_of(core: BatchCore, copies: int) -> F64:
    """Return the twelve components of every row's last reward; zeros for empty seats."""
    if isinstance(core, NativeCore):
        return core.reward_parts().reshape(-1, len(Component))
    rows = [row for copy in range(copies) for row in _told_parts(core.step_record(copy))]
    return np.array(rows, np.float64)


def _told_parts(record: StepRecord) -> list[list[float]]:
    told = record.info["reward_components"]
    assert isinstance(told, list | tuple), "a record tells the components of every seat"
    return [
        [float(part) for part in seat if isinstance(part, float)] or _NOTHING
        for seat in told
        if isinstance(seat, list | tuple)
    ]


def _team(ship_id: str, teams: Mapping[str, int] | None) -> int:
    return teams[ship_id] if teams is not None else TEAM_IDS.index(ship_id.partition("-")[0])


def _fixed_teams(config: TidebreakConfig) -> Mapping[str, int] | None:
    """Return the team of every ship of a battle that is always the same; None for drawn ones."""
    if config.scenario is not None:
        return _scenario_teams(config.scenario)
    return None if config.package is None else _package_teams(config.canonical())


def _fixed_team_ids(config: TidebreakConfig) -> tuple[str, ...] | None:
    if config.scenario is not None:
        return tuple(team.team_id for team in load_scenario(config.scenario).teams)
    package = config.resolved_package()
    return None if package is None else tuple(team.team_id for team in package.battle.teams)


@lru_cache(maxsize=32)
def _scenario_teams(name: str) -> Mapping[str, int]:
    package = load_scenario(name)
    order = [team.team_id for team in package.teams]
    return {ship.ship_id: order.index(ship.team_id) for ship in package.ships}


@lru_cache(maxsize=8)
def _package_teams(canonical: str) -> Mapping[str, int]:
    package = TidebreakConfig.model_validate_json(canonical).resolved_package()
    assert package is not None, "only a configuration with a package is asked for"
    return {unit.ship_id: unit.team for unit in package.battle.units}


def _stage(stage: Stage) -> CurriculumStage:
    scripts = [name for name in stage.opponents if name != POOL] or [stage.hardest_script]
    limit_s = _TIME_LIMITS_S.get(stage.number)
    return CurriculumStage(
        name=stage.name,
        lessons=tuple({"stage": stage.number, "time_limit_s": limit_s, "opponents": script} for script in scripts),
        promote_at=stage.promote_at,
        meets_pool=POOL in stage.opponents,
    )


def _scene(name: str) -> SuiteScene:
    return SuiteScene(
        name=name,
        sides=tuple({**_NO_BATTLE, "scenario": name, "side": team_id} for team_id in TEAM_IDS),
    )


MATCHES: Final = MatchRules(
    result_metric="win",
    scripts=SCRIPT_NAMES,
    anchor=ANCHOR,
    against=against,
    side_overrides=side_overrides,
    mirrored={"played": Played.ALL},
    sides=sides,
    reward_parts=tuple(component.value for component in Component),
    parts_of=parts_of,
    modes=(
        ObservedMode(name="layer", first=Own.LAYER, states=tuple(layer.name.lower() for layer in Layer)),
        ObservedMode(name="emissions", first=Own.EMISSIONS, states=tuple(mode.name.lower() for mode in Emissions)),
    ),
)
CURRICULUM: Final = tuple(_stage(stage) for stage in STAGES)
SUITE: Final = EvaluationSuite(
    scenes=tuple(_scene(name) for name in EVALUATION_SUITE),
    episodes=_SUITE_EPISODES,
    first_seed=_SUITE_SEED,
    margin="cost_margin",
    survival="survival",
    spent="shots",
    gained="kills",
    time="battle_ticks",
)
