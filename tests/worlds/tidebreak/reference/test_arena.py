"""A whole battle: determinism, snapshots, events, results."""

import pytest

from diorama.contracts.errors import ContractError, SnapshotError
from diorama.worlds.tidebreak.codes import EndReason, ShipFate, UnitStatus
from diorama.worlds.tidebreak.packages.results import check_result
from diorama.worlds.tidebreak.reference.arena import Arena, simulate
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.words import state_words
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios import load_scenario, reseeded, scenario_names
from tests.worlds.tidebreak.reference.battles import STILL, arena, package, run, ship, unit_of

DUEL = ("corvette_duel", 120)
HUNT = ("sub_against_pair", 40)


def hashes(battle: Arena, ticks: int) -> list[int]:
    found = [battle.state_hash()]
    for _ in range(ticks):
        if battle.battle.outcome.is_over:
            break
        battle.step({})
        found.append(battle.state_hash())
    return found


@pytest.mark.parametrize(("name", "ticks"), [DUEL, HUNT])
def test_the_same_package_gives_the_same_battle(name: str, ticks: int) -> None:
    resolved = resolve(load_scenario(name))

    assert hashes(Arena(resolved), ticks) == hashes(Arena(resolved, is_collecting=True), ticks)


def test_another_seed_gives_another_battle() -> None:
    resolved = resolve(load_scenario("corvette_duel"))
    first, second = Arena(resolved), Arena(resolved)
    second.reset(seed=99)

    assert hashes(first, 60)[-1] != hashes(second, 60)[-1]


def test_a_reset_begins_anew() -> None:
    battle = Arena(resolve(load_scenario("corvette_duel")))
    first = hashes(battle, 30)

    battle.reset()

    assert hashes(battle, 30) == first


@pytest.mark.parametrize(("name", "ticks"), [DUEL, HUNT, ("capital_and_screen", 25)])
def test_a_restored_battle_goes_on_as_if_nothing_had_happened(name: str, ticks: int) -> None:
    resolved = resolve(load_scenario(name))
    battle, other = Arena(resolved), Arena(resolved)
    hashes(battle, ticks)
    data = battle.snapshot()

    other.restore(data)

    assert other.snapshot() == data
    assert hashes(other, 25) == hashes(battle, 25)


def test_a_snapshot_of_another_package_is_refused() -> None:
    duel, reseeded_duel = load_scenario("corvette_duel"), reseeded(load_scenario("corvette_duel"), 5)
    battle = Arena(resolve(duel))

    with pytest.raises(SnapshotError, match="C021"):
        Arena(resolve(reseeded_duel)).restore(battle.snapshot())


def test_the_state_begins_with_clock_seed_and_counters() -> None:
    battle = arena(ship("a"))
    run(battle, 3, a=STILL)

    words = [int(word) for word in state_words(battle.battle)[:5]]

    assert words == [3, 7, 4, battle.battle.log.next_event_id, 3]


def test_every_hashed_number_changes_the_hash() -> None:
    battle = arena(ship("a"))
    unit = unit_of(battle.battle, "a")
    seen = {battle.state_hash()}
    unit.motion.omega += 1e-12
    seen.add(battle.state_hash())
    unit.tally.shots[5] += 1
    seen.add(battle.state_hash())
    unit.boarding.progress[2] = 0.5
    seen.add(battle.state_hash())
    unit.tracks.next_track_id += 1
    seen.add(battle.state_hash())

    assert len(seen) == 5


def test_memory_is_kept_but_not_hashed() -> None:
    battle, other = arena(ship("a")), arena(ship("a"))
    before = battle.state_hash()
    memory = unit_of(battle.battle, "a").memory
    memory.designated_track, memory.raised_ids, memory.has_struck = 7, [2, 3], True

    other.restore(battle.snapshot())

    assert battle.state_hash() == before
    assert unit_of(other.battle, "a").memory == memory


def test_events_name_their_causes_back_to_the_shot() -> None:
    battle = Arena(resolve(load_scenario("corvette_duel")), is_collecting=True)
    hashes(battle, 120)
    events = {event.id: event for event in battle.battle.log}
    hurt = next(event for event in events.values() if event.kind.name == "DAMAGE")

    chain = battle.battle.log.chain(hurt.id)

    assert [event.kind.name for event in chain] == ["DAMAGE", "HIT", "WEAPON_FIRED"]
    assert {event.trace for event in chain} == {chain[-1].id}
    assert sorted(events) == list(range(1, battle.battle.log.next_event_id))


def test_events_come_once() -> None:
    battle = arena(ship("a"))

    first, again = battle.events(), battle.events()

    assert first[0].kind is EventKind.BATTLE_START
    assert again == []


@pytest.mark.parametrize("name", scenario_names())
def test_every_stored_scenario_runs(name: str) -> None:
    battle = Arena(resolve(load_scenario(name)))

    assert len(set(hashes(battle, 15))) == 16


def test_a_simulation_ends_with_a_result_that_fits_its_package() -> None:
    duel = load_scenario("corvette_duel")

    result = simulate(resolve(duel))

    check_result(result, duel)
    assert result.end_reason is EndReason.ELIMINATION
    assert {ship.fate for ship in result.ships} == {ShipFate.OPERATIONAL, ShipFate.DESTROYED}
    winner = next(team for team in result.teams if team.team_id == result.winner_team_id)
    assert winner.decisive_victory
    assert winner.morale_delta == pytest.approx(0.2)
    assert result.event_summary.kills == 1


def test_an_unfinished_battle_has_no_result_until_it_is_aborted() -> None:
    battle = arena(ship("a"), ship("b", "blue", "arcology", x=4_000.0, is_flagship=True), ship("c", "blue", y=5_000.0))
    run(battle, 2, a=STILL)
    with pytest.raises(ContractError, match="not over"):
        battle.result()
    unit_of(battle.battle, "b").mark(UnitStatus.SURRENDERED)

    battle.abort()
    result = battle.result()

    assert result.end_reason is EndReason.ABORTED
    assert result.winner_team_id is None
    assert [entry.ship_id for entry in result.ships] == ["a", "b", "c"]
    assert (result.ships[1].fate, result.ships[1].captor_team_id) == (ShipFate.CAPTURED, "red")
    assert result.teams[1].morale_delta == pytest.approx(-0.05 * 20_000 / 20_070 - 0.05)
    assert result.megaship_reports[0].evacuation_status == pytest.approx(0.3)


def test_a_finished_battle_takes_no_step() -> None:
    battle = arena(ship("a"))
    battle.abort()

    with pytest.raises(ContractError, match="over"):
        battle.step({})


def test_only_agents_take_actions() -> None:
    battle = arena(ship("a"), controllers={"a": "script:idle"})

    with pytest.raises(ContractError, match="script:idle"):
        battle.step({"a": STILL})
    battle.set_controller("a", "agent")
    battle.step({"a": STILL})

    assert battle.battle.tick == 1


def test_unknown_ships_are_refused() -> None:
    with pytest.raises(ContractError, match="nobody"):
        Arena(package(ship("a")), {"nobody": "agent"})


def test_a_restored_battle_ends_with_the_same_result() -> None:
    resolved = package(ship("a"), ship("b", "blue", x=5_000.0), time_limit_s=20)
    battle, other = Arena(resolved), Arena(resolved)
    battle.reset(seed=99)
    hashes(battle, 8)
    other.restore(battle.snapshot())

    hashes(battle, 30)
    hashes(other, 30)

    assert battle.battle.outcome.is_over
    assert other.result() == battle.result()
