"""A single native battle: the same bytes as its readable twin, and clear words where it cannot go on."""

import json
from collections.abc import Callable

import pytest

from diorama.contracts.errors import ConfigError, ContractError, SnapshotError
from diorama.native import load_native
from diorama.worlds.tidebreak.codes import UnitKind
from diorama.worlds.tidebreak.contract import HEADS, HELD_OPTIONS, METRICS, Event, Head
from diorama.worlds.tidebreak.fast import open_arena, simulate
from diorama.worlds.tidebreak.layout import COMPACT_OBS_WIDTH, OBS_WIDTH
from diorama.worlds.tidebreak.reference.arena import Arena
from diorama.worlds.tidebreak.resolve import ResolvedPackage, resolve
from diorama.worlds.tidebreak.reward_weights import Component
from diorama.worlds.tidebreak.scenarios import generate, random_battle

TICKS = 6
AGENT = "agent"
HOLD = [1, 3, 0, 0, 0, 0, 0]


@pytest.fixture(scope="module")
def duel() -> ResolvedPackage:
    return resolve(generate(2, 7).package)


def test_the_tables_of_the_core_are_those_of_the_contract() -> None:
    tables = load_native().tidebreak_tables()

    assert tables["obs_widths"] == (OBS_WIDTH, COMPACT_OBS_WIDTH)
    assert tables["heads"] == [(head.name, len(head.options)) for head in HEADS]
    assert tables["held_options"] == [list(HELD_OPTIONS[head]) for head in Head]
    assert tables["metrics"] == [metric.key for metric in METRICS]
    assert tables["events"] == [event.value for event in Event]
    assert tables["reward_components"] == [component.value for component in Component]


def test_a_snapshot_of_one_tier_goes_on_in_the_other() -> None:
    package = resolve(random_battle(3))
    reference, fast = Arena(package), open_arena(package)
    for _ in range(TICKS):
        reference.step({})
        fast.step({})

    data = fast.snapshot()
    assert data == reference.snapshot()
    restored, other = Arena(package), open_arena(package)
    restored.restore(data)
    other.restore(data)
    for arena in (restored, other, reference):
        arena.step({})

    assert restored.state_hash() == other.state_hash() == reference.state_hash()


def test_another_seed_is_another_battle_and_the_same_seed_the_same(duel: ResolvedPackage) -> None:
    fast = open_arena(duel, seed=5)
    first = fast.state_hash()

    fast.step({})
    fast.reset(seed=6)
    assert fast.state_hash() != first
    fast.reset(seed=5)

    assert (fast.state_hash(), fast.tick) == (first, 0)


def test_events_are_handed_over_once(duel: ResolvedPackage) -> None:
    reference, fast = Arena(duel, is_collecting=True), open_arena(duel, is_collecting=True)
    for arena in (reference, fast):
        arena.step({})

    events = fast.events()

    assert [event[0] for event in events] == [event.id for event in reference.events()]
    assert fast.events() == []


def test_a_ship_can_be_handed_to_a_script_and_back(duel: ResolvedPackage) -> None:
    ship = duel.battle.units[0].ship_id
    fast = open_arena(duel, {ship: AGENT})

    fast.set_controller(ship, "script:idle")

    with pytest.raises(ContractError, match="only agents take actions"):
        fast.step({ship: HOLD})
    fast.set_controller(ship, AGENT)
    fast.step({ship: HOLD})
    assert fast.tick == 1


def test_a_battle_fought_to_its_end_is_reported_alike(duel: ResolvedPackage) -> None:
    package = resolve(generate(2, 7).package.model_copy(update={"time_limit_s": 30.0}))
    reference = Arena(package)
    while not reference.battle.outcome.is_over:
        reference.step({})

    assert simulate(package) == reference.result()


def test_an_aborted_battle_is_over_and_cannot_be_stepped(duel: ResolvedPackage) -> None:
    fast = open_arena(duel)

    fast.abort()

    assert fast.is_over
    assert json.loads(fast.result())["end_reason"] == "ABORTED"
    with pytest.raises(ContractError, match="the battle is over; reset it first"):
        fast.step({})


MISTAKES: list[tuple[str, type[Exception], str, Callable[[ResolvedPackage, str], object]]] = [
    (
        "unknown-ship",
        ContractError,
        "there is no ship 'ghost'",
        lambda package, _: open_arena(package, {"ghost": AGENT}),
    ),
    (
        "unknown-script",
        ConfigError,
        "controller 'script:pirate' is unknown",
        lambda package, ship: open_arena(package, {ship: "script:pirate"}),
    ),
    (
        "unknown-option",
        ContractError,
        "C002 rudder is 7; it must be 0 to 6",
        lambda package, ship: open_arena(package, {ship: AGENT}).step({ship: [1, 7, 0, 0, 0, 0, 0]}),
    ),
    (
        "too-few-options",
        ContractError,
        "C002 a decision has 3 options; it must have 7",
        lambda package, ship: open_arena(package, {ship: AGENT}).step({ship: [1, 3, 0]}),
    ),
    ("going-on", ContractError, "only a finished one has a result", lambda package, _: open_arena(package).result()),
    (
        "no-snapshot",
        SnapshotError,
        "the snapshot has 4 bytes",
        lambda package, _: open_arena(package).restore(b"TBSN"),
    ),
    (
        "other-package",
        SnapshotError,
        "C021 the snapshot is of another package",
        lambda package, _: open_arena(package).restore(Arena(resolve(generate(2, 8).package)).snapshot()),
    ),
]


@pytest.mark.parametrize(("error", "message", "mistake"), [pytest.param(*rest, id=name) for name, *rest in MISTAKES])
def test_a_mistake_is_told(
    error: type[Exception], message: str, mistake: Callable[[ResolvedPackage, str], object], duel: ResolvedPackage
) -> None:
    with pytest.raises(error, match=message):
        mistake(duel, duel.battle.units[0].ship_id)


BROKEN = [
    pytest.param({"format": "tidebreak.resolved.0"}, "C001 .*format is 'tidebreak.resolved.0'", id="format"),
    pytest.param({"seed": "seven"}, "C001 not a resolved package", id="type"),
    pytest.param({"teams": []}, "C001 .*unit 1 is out of place", id="no-teams"),
    pytest.param({"weapons": []}, "C001 .*equipment that there is not", id="no-weapons"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN)
def test_bytes_that_are_no_package_are_refused(change: dict[str, object], message: str, duel: ResolvedPackage) -> None:
    document = json.dumps({**json.loads(duel.document), **change}).encode()

    with pytest.raises(ContractError, match=message):
        load_native().TidebreakArena(document, duel.sha256, {})


def test_a_battle_that_starts_with_a_squadron_is_refused(duel: ResolvedPackage) -> None:
    battle = json.loads(duel.document)
    battle["units"][1]["hull"]["kind"] = int(UnitKind.SQUADRON)

    with pytest.raises(ContractError, match=r"C001 .*unit 2 is neither a ship nor a platform"):
        load_native().TidebreakArena(json.dumps(battle).encode(), duel.sha256, {})


@pytest.mark.parametrize("tracks", [0, 65])
def test_a_unit_keeps_as_many_tracks_as_a_table_holds(tracks: int, duel: ResolvedPackage) -> None:
    battle = json.loads(duel.document)
    battle["units"][1]["sensors"]["tracks_max"] = tracks

    with pytest.raises(ContractError, match=f"C001 .*unit 2 keeps {tracks} tracks; it must keep 1 to 64"):
        load_native().TidebreakArena(json.dumps(battle).encode(), duel.sha256, {})


def test_too_many_units_are_refused(duel: ResolvedPackage) -> None:
    battle = json.loads(duel.document)
    document = json.dumps({**battle, "units": battle["units"] * 40}).encode()

    with pytest.raises(ContractError, match="C030 there are 80 units; 64 at most can be fought"):
        load_native().TidebreakArena(document, duel.sha256, {})
