"""Fights one battle with scripts, and keeps it as a run if it is told to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from diorama.cli.progress import progress_bar
from diorama.contracts.config import parse_config
from diorama.contracts.errors import ConfigError, DocumentError
from diorama.contracts.near_names import hint
from diorama.contracts.records import StepRecord
from diorama.contracts.values import JsonObject
from diorama.engine.tiers import AUTO
from diorama.engine.venue import Venue
from diorama.runs.clock import Clock, SystemClock
from diorama.runs.replays.reader import open_entry
from diorama.runs.replays.scene import Moment, Scene
from diorama.runs.replays.unattended import UnattendedEpisode, UnattendedRecord, record_unattended
from diorama.storage.artifact_files import read_named
from diorama.storage.atomic_files import replace_file
from diorama.storage.json_text import decode_json
from diorama.worlds.registry import load_world
from diorama.worlds.tidebreak.contract import Event
from diorama.worlds.tidebreak.frames import UnitPart, read_frame
from diorama.worlds.tidebreak.limits import SEED_MAX
from diorama.worlds.tidebreak.packages.documents import MAX_BYTES
from diorama.worlds.tidebreak.packages.result import BattleResult
from diorama.worlds.tidebreak.reference.scripts import controller_named
from diorama.worlds.tidebreak.reference.seats import is_controllable
from diorama.worlds.tidebreak.render.news import event_rows
from diorama.worlds.tidebreak.resolve import ResolvedPackage, read_package, read_resolved, resolve
from diorama.worlds.tidebreak.scenarios import load_scenario, scenario_names
from diorama.worlds.tidebreak.sentences import EventRow

RESULT_FILE: Final = "result.json"
_WORLD: Final = "tidebreak"
_SCRIPT_PREFIX: Final = "script:"
_DECIDING: Final = (Event.OBJECTIVE_COMPLETED, Event.OBJECTIVE_FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class FightRequest:
    """What the command line asks for; see `diorama tidebreak fight --help`."""

    package: str
    controllers: tuple[str, ...] = ()
    seed: int | None = None
    out: Path | None = None
    tier: str = AUTO


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought:
    """A battle that is over.

    Attributes:
        package: What was fought.
        scripts: Who commanded each ship.
        result: What came of it.
        events: Everything that happened, by id.
        last_frame: The end as a viewer sees it.
        tier: The tier that ran.
        run: Where it was kept, None if it was not.
    """

    package: ResolvedPackage
    scripts: Mapping[str, str]
    result: BattleResult
    events: tuple[EventRow, ...]
    last_frame: JsonObject
    tier: str
    run: Path | None

    def unit(self, ship_id: str) -> UnitPart:
        """Return how a ship of the package ended, as the last frame shows it."""
        return next(unit for unit in read_frame(self.last_frame).units if unit.ship_id == ship_id)


def hold_fight(request: FightRequest, clock: Clock | None = None) -> Fought:
    """Fight a battle to its end.

    Raises:
        PackageError: The package is wrong; nothing has been written.
        ConfigError: A controller or the seed is wrong.
        RunConflict: The directory exists already.
        StorageError: The disk refuses.
    """
    package = _read(request.package)
    scripts = _scripts(package, request.controllers)
    seed = package.battle.seed if request.seed is None else request.seed
    if not 1 <= seed <= SEED_MAX:
        raise ConfigError(f"--seed is {seed}; use 1 to {SEED_MAX}")
    world = load_world(_WORLD)
    config = parse_config(
        world.id, world.config_type, {"package": json.loads(package.document), "controllers": scripts}
    )
    venue = Venue(world=world, config=config, tier=request.tier, threads=1)
    battle = _Battle(package, scripts, venue, seed)
    return battle.fight() if request.out is None else battle.fight_on_record(request.out, clock or SystemClock())


class _Battle:
    def __init__(self, package: ResolvedPackage, scripts: Mapping[str, str], venue: Venue, seed: int) -> None:
        self._package = package
        self._scripts = scripts
        self._venue = venue
        self._seed = seed
        self._noop = np.array([venue.spec.noop], np.int32)
        self._limit = package.battle.rules.time_limit_ticks

    @property
    def _episode_seed(self) -> int:
        return self._seed - 1  # an episode fights with the seed one above its own

    def fight(self) -> Fought:
        scene = Scene(self._venue, self._episode_seed)
        watch = _Watch()
        try:
            with progress_bar("fight", self._limit) as advance:
                while not scene.is_over:
                    watch.see(scene.step(self._noop))
                    advance()
            return self._fought(scene, watch.events, self._result(watch), run=None)
        finally:
            scene.close()

    def fight_on_record(self, directory: Path, clock: Clock) -> Fought:
        config: JsonObject = {
            "world": _WORLD,
            "battle_id": self._package.battle.battle_id,
            "controllers": self._scripts,
        }
        episode = UnattendedEpisode(
            venue=self._venue, episode_seed=self._episode_seed, max_steps=self._limit, shown_seed=self._seed
        )
        watch = _Watch()
        fought: list[Fought] = []

        def keep_result(written: UnattendedRecord) -> None:
            result = _with_replay(
                self._result(watch),
                written.entry.replay_path,
                open_entry(written.layout, written.entry).sidecar.actions_sha256,
            )
            replace_file(directory / RESULT_FILE, result.model_dump_json(indent=2).encode() + b"\n")
            fought.append(self._fought(written.scene, watch.events, result, run=directory))

        with progress_bar("fight", self._limit) as advance:

            def see(moment: Moment) -> None:
                watch.see(moment)
                advance()

            record_unattended(episode, directory, config, clock, on_moment=see, on_record=keep_result)
        return fought[0]

    def _result(self, watch: "_Watch") -> BattleResult:
        assert watch.last is not None, "a battle has at least one tick"
        return _result(watch.last, self._package, watch.events)

    def _fought(self, scene: Scene, events: tuple[EventRow, ...], result: BattleResult, run: Path | None) -> Fought:
        return Fought(
            package=self._package,
            scripts=self._scripts,
            result=result,
            events=events,
            last_frame=scene.render_state(),
            tier=self._venue.probe().tier_selected.value,
            run=run,
        )


class _Watch:
    """Notes what happens in a battle, and its last step."""

    def __init__(self) -> None:
        self.last: StepRecord | None = None
        self._rows: list[EventRow] = []

    def see(self, moment: Moment) -> None:
        self._rows += event_rows(moment.record.event_data, tick=moment.t - 1)
        self.last = moment.record

    @property
    def events(self) -> tuple[EventRow, ...]:
        return tuple(sorted(self._rows, key=lambda row: row.id))


def _read(name: str) -> ResolvedPackage:
    path = Path(name)
    if not path.exists() and name in scenario_names():
        return resolve(load_scenario(name))
    if not path.exists():
        stored, meant = ", ".join(scenario_names()), hint(name, scenario_names())
        raise ConfigError(
            f"{name}: there is no such file, and no stored scenario of that name{meant}; there are: {stored}"
        )
    document = read_named(path, most_bytes=MAX_BYTES)
    try:
        is_resolved = "format" in decode_json(document, dict, where=name)
    except DocumentError:
        is_resolved = False
    return read_resolved(document) if is_resolved else resolve(read_package(document).package)


def _scripts(package: ResolvedPackage, pairs: tuple[str, ...]) -> dict[str, str]:
    battle = package.battle
    scripts = {unit.ship_id: "auto" for unit in battle.units if is_controllable(battle, unit)}
    for pair in pairs:
        ship_id, separator, script = pair.partition("=")
        if not separator or not script:
            raise ConfigError(f"--controllers {pair!r} is not of the form SHIP=SCRIPT, such as blue-1=kiter")
        if ship_id not in scripts:
            raise ConfigError(f"--controllers: no ship {ship_id!r} can be commanded; there are: {', '.join(scripts)}")
        scripts[ship_id] = script.removeprefix(_SCRIPT_PREFIX)
        controller_named(_SCRIPT_PREFIX + scripts[ship_id])  # refuses a script that does not exist, and says which do
    return scripts


def _result(record: StepRecord, package: ResolvedPackage, events: tuple[EventRow, ...]) -> BattleResult:
    """Add to each objective the events that decided it, which a copy without a log does not know."""
    document = record.info["battle_result"]
    assert isinstance(document, Mapping), "the record that ends a battle has its result"
    result = BattleResult.model_validate(document)
    unit_ids = {unit.ship_id: unit.id for unit in package.battle.units}
    ships = []
    for ship in result.ships:
        deciding = [row.id for row in events if row.kind in _DECIDING and row.source == unit_ids[ship.ship_id]]
        if ship.objective_outcome is not None and deciding:
            objective = ship.objective_outcome.model_copy(update={"key_events": tuple(deciding)})
            ships.append(ship.model_copy(update={"objective_outcome": objective}))
        else:
            ships.append(ship)
    return result.model_copy(update={"ships": tuple(ships)})


def _with_replay(result: BattleResult, path: str, actions_sha256: str) -> BattleResult:
    reference = result.replay.model_copy(update={"action_log_ref": path, "action_log_hash": f"sha256:{actions_sha256}"})
    return result.model_copy(update={"replay": reference})
