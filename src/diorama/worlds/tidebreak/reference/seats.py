"""Which battle an episode fights, and who commands each of its units.

stage      episode seed -> stage (an earlier one now and then) -> generated package -> resolved
scenario   resolved once; every episode fights it with the luck of its own seed, on the same map
package    likewise
seats      named ships, or the controllable ships of a side or of all sides in the order of the package; what is
           left over stays empty
scripts    a unit without a seat follows its own script if it is given one, else `teammates` if its team has a
           seat, else `opponents`
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.worlds.tidebreak.codes import UnitKind, WeaponGroup
from diorama.worlds.tidebreak.config import Played, TidebreakConfig
from diorama.worlds.tidebreak.resolve import ResolvedBattle, ResolvedPackage, ResolvedUnit, resolve
from diorama.worlds.tidebreak.scenarios import battle_seed, episode_stage, generate, load_scenario, stage
from diorama.worlds.tidebreak.scenarios.lineup import TEAM_IDS

EMPTY_SEAT: Final = 0
NO_STAGE: Final = 0
_AGENT: Final = "agent"
_SCRIPT: Final = "script:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """A battle before its first tick, and who commands.

    Attributes:
        package: What is fought.
        seed: Of every draw of the battle.
        stage: Stage it was drawn from, 0 for a stored or given battle.
        seats: Unit id of every seat, 0 where nobody sits.
        controllers: Of every unit, by ship id.
    """

    package: ResolvedPackage
    seed: int
    stage: int
    seats: tuple[int, ...]
    controllers: Mapping[str, str]


class EpisodePlan:
    """Turns episode seeds into episodes."""

    def __init__(self, config: TidebreakConfig) -> None:
        """Resolve what is the same in every episode.

        Raises:
            ConfigError: The side or a ship that is asked for is not in the battle.
        """
        self._config = config
        self._latest: tuple[int, Episode] | None = None
        self._fixed = _fixed_package(config)
        if self._fixed is not None:
            _check_names(self._fixed.battle, config)
        elif config.side is not None:
            _side_index(TEAM_IDS, config.side)

    def episode(self, episode_seed: int) -> Episode:
        """Return the episode of a seed; the one asked for last is remembered."""
        if self._latest is None or self._latest[0] != episode_seed:
            self._latest = episode_seed, self._drawn(episode_seed)
        return self._latest[1]

    def _drawn(self, episode_seed: int) -> Episode:
        if self._fixed is not None:
            return self._seated(self._fixed, episode_seed, NO_STAGE, self._fixed.battle.teams[0].team_id)
        number = self._stage_number(episode_seed)
        scenario, limit_s = generate(number, episode_seed), self._config.time_limit_s
        package = scenario.package
        if limit_s is not None:
            package = package.model_copy(update={"time_limit_s": float(limit_s)})
        return self._seated(resolve(package), episode_seed, number, scenario.agent_team_id)

    def _stage_number(self, episode_seed: int) -> int:
        number = self._config.stage
        assert number is not None, "a configuration without a battle of its own has a stage"
        return episode_stage(number, episode_seed) if self._config.earlier_stages else number

    def _seated(self, package: ResolvedPackage, episode_seed: int, number: int, usual_side: str) -> Episode:
        battle = package.battle
        seats = _seats(battle, self._config, usual_side)
        return Episode(
            package=package,
            seed=battle_seed(episode_seed),
            stage=number,
            seats=seats,
            controllers=_controllers(battle, seats, self._config, number),
        )


def is_controllable(battle: ResolvedBattle, unit: ResolvedUnit) -> bool:
    """Whether somebody can command it: a ship, or a platform with a weapon that orders can fire."""
    if unit.hull.kind == UnitKind.SHIP:
        return True
    return any(battle.weapons[mount.weapon].group != WeaponGroup.AUTOMATIC for mount in unit.mounts)


def _fixed_package(config: TidebreakConfig) -> ResolvedPackage | None:
    if config.scenario is not None:
        return resolve(load_scenario(config.scenario))
    return config.resolved_package()


def _check_names(battle: ResolvedBattle, config: TidebreakConfig) -> None:
    if config.side is not None:
        _side_index([team.team_id for team in battle.teams], config.side)
    playable = [unit.ship_id for unit in battle.units if is_controllable(battle, unit)]
    for key, names in (("ships", config.ships), ("controllers", config.controllers)):
        for ship_id in names:
            if ship_id not in playable:
                known = ", ".join(playable)
                raise ConfigError(f"tidebreak.{key}: no ship {ship_id!r} can be commanded; there are: {known}")


def _side_index(sides: Sequence[str], side: str) -> int:
    if side not in sides:
        raise ConfigError(f"tidebreak.side: there is no side {side!r}; there are: {', '.join(sides)}")
    return sides.index(side)


def _seats(battle: ResolvedBattle, config: TidebreakConfig, usual_side: str) -> tuple[int, ...]:
    playable = [
        unit
        for unit in _in_package_order(battle)
        if is_controllable(battle, unit) and unit.ship_id not in config.controllers
    ]
    if config.ships:
        ids = {unit.ship_id: unit.id for unit in playable}
        # Ships of a generated battle differ from episode to episode; the seat of one that is not there stays empty.
        chosen = [ids.get(ship_id, EMPTY_SEAT) for ship_id in config.ships]
    else:
        side = _side_index([team.team_id for team in battle.teams], config.side or usual_side)
        chosen = [unit.id for unit in playable if config.played is Played.ALL or unit.team == side]
    filled = chosen[: config.seats]
    return (*filled, *[EMPTY_SEAT] * (config.seats - len(filled)))


def _controllers(
    battle: ResolvedBattle, seats: Sequence[int], config: TidebreakConfig, number: int
) -> Mapping[str, str]:
    own_teams = {battle.units[unit_id - 1].team for unit_id in seats if unit_id != EMPTY_SEAT}
    opponents = _opponents(config, number)
    controllers = {}
    for unit in battle.units:
        usual = config.teammates if unit.team in own_teams else opponents
        script = config.controllers.get(unit.ship_id, usual)
        controllers[unit.ship_id] = _AGENT if unit.id in seats else _SCRIPT + script
    return controllers


def _opponents(config: TidebreakConfig, number: int) -> str:
    """Of an earlier stage than the configured one, that stage's own."""
    if config.opponents is not None or number == NO_STAGE:
        return config.opponent_script
    return stage(number).hardest_script


def _in_package_order(battle: ResolvedBattle) -> list[ResolvedUnit]:
    return sorted(battle.units, key=lambda unit: unit.package_index)
