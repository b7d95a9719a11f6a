import random
from collections.abc import Sequence

import numpy as np
import pytest

from diorama.contracts.errors import SnapshotError
from diorama.snapshots import hash_words
from diorama.worlds.townlet.codes import Option
from diorama.worlds.townlet.events import SCHEMAS, EventKind
from diorama.worlds.townlet.reference.names import payload
from diorama.worlds.townlet.reference.opening import open_town
from diorama.worlds.townlet.reference.policy_runner import Opinion, PolicyRunner, Source, run_tick
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.systems.kpis import kpi_row
from diorama.worlds.townlet.reference.systems.spawning import Arrival
from diorama.worlds.townlet.reference.tick import begin_tick, finish_tick
from diorama.worlds.townlet.reference.words import read_town, snapshot_words, state_words
from tests.worlds.townlet.towns import SOCIAL, config_of, random_arrivals, tables_of, town_of

BUSY = {
    **SOCIAL,
    "perturbations": {
        "enabled": True,
        "global_cooldown_ticks": 5,
        "events": {
            "blackout": {"kind": "blackout", "prob_per_day": 20, "cooldown_ticks": 20, "duration": [3, 30]},
            "spike": {"kind": "price_spike", "prob_per_day": 20, "cooldown_ticks": 20, "duration": [10, 60],
                      "magnitude": [1.2, 3.0], "targets": ["global"]},
            "meet": {"kind": "arranged_meet", "prob_per_day": 20, "duration": [40, 90], "location": "cafe"},
        },
    },
    "lifecycle": {"max_exits_per_day": 50, "exit_cooldown_ticks": 0},
    "personalities": {"distribution": {"socialite": 1, "stoic": 1}, "trait_jitter": 0.3},
}  # fmt: skip


def _busy_town(seed: int = 3) -> Town:
    config = config_of(BUSY)
    return open_town(tables_of(config), config, seed)


def _live_at_random(town: Town, ticks: int, seed: int) -> list[int]:
    chance = random.Random(seed)
    hashes = []
    for _ in range(ticks):
        begin_tick(town)
        finish_tick(town, {seat: chance.randrange(8) for seat in range(16)})
        for event in town.events:
            assert set(payload(town, event)) == {field.name for field in SCHEMAS[event.kind].fields}
        town.events.clear()
        hashes.append(hash_words(state_words(town)))
    return hashes


def test_equal_runs_have_equal_hashes_and_other_seeds_others() -> None:
    first, second, other = _busy_town(), _busy_town(), _busy_town(4)

    hashes = _live_at_random(first, 80, 1)

    assert hashes == _live_at_random(second, 80, 1)
    assert hashes[-1] != _live_at_random(other, 80, 1)[-1]
    assert len(set(hashes)) == 80


@pytest.mark.parametrize("ticks", [1, 50])
def test_a_restored_town_goes_on_as_if_nothing_had_happened(ticks: int) -> None:
    town = _busy_town()
    town.citizen(5).needs[0] = 0.0
    _live_at_random(town, 75, 2)

    again = read_town(snapshot_words(town), town.tables, town.config)

    assert (snapshot_words(again) == snapshot_words(town)).all()
    assert _live_at_random(again, ticks, 5) == _live_at_random(town, ticks, 5)
    assert (snapshot_words(again) == snapshot_words(town)).all()


@pytest.mark.slow
def test_a_restored_town_lives_a_thousand_ticks_like_the_first() -> None:
    town = _busy_town()
    _live_at_random(town, 1500, 2)
    again = read_town(snapshot_words(town), town.tables, town.config)

    assert _live_at_random(again, 1000, 5) == _live_at_random(town, 1000, 5)


def test_words_that_are_no_town_are_refused() -> None:
    town = town_of()
    words = snapshot_words(town)

    with pytest.raises(SnapshotError):
        read_town(words[:-3], town.tables, town.config)
    with pytest.raises(SnapshotError):
        read_town(np.concatenate((words, words[:1])), town.tables, town.config)
    broken = words.copy()
    broken[12] = 1 << 50  # the count of citizens
    with pytest.raises(SnapshotError):
        read_town(broken, town.tables, town.config)


def test_given_names_survive_a_snapshot() -> None:
    config = config_of()
    town = open_town(tables_of(config), config, 1, [Arrival(agent_id="ann", display_name="Ann Ä")])

    again = read_town(snapshot_words(town), town.tables, town.config)

    assert again.custom_names == town.custom_names


def test_stages_come_in_order_with_hooks_around_them() -> None:
    town = town_of()
    seen: list[str] = []

    class Watcher:
        def before_stage(self, number: int, town: Town) -> None:
            seen.append(f"{number}(")

        def after_stage(self, number: int, town: Town) -> None:
            seen.append(f"){number}")

    begin_tick(town, [Watcher()])
    finish_tick(town, {}, [Watcher()])

    assert "".join(seen) == "1()12()23()34()45()56()67()7"
    assert town.tick == 1


class _Even:
    """A policy that gives every valid action the same chance."""

    def judge(self, town: Town, citizens: object, masks: Sequence[Sequence[int]]) -> list[Opinion]:
        return [Opinion(chances=[bit / sum(mask) for bit in mask], value=0.5) for mask in masks]


@pytest.mark.parametrize(("ratio", "draws"), [(0.0, 0), (1.0, 8), (0.5, None)])
def test_the_policy_stream_is_drawn_for_blends_and_samples_only(ratio: float, draws: int | None) -> None:
    town = town_of(population=8)
    begin_tick(town)

    actions, masks = PolicyRunner(policy=_Even(), anneal_ratio=ratio).step(town)

    drawn = town.streams.policy.draws
    assert drawn == draws if draws is not None else 8 < drawn < 16
    assert all(masks[seat][action] for seat, action in actions.items())


def test_a_decision_can_be_explained() -> None:
    town = town_of(population=2)
    runner = PolicyRunner(policy=_Even(), anneal_ratio=1.0)
    begin_tick(town)
    actions, masks = runner.step(town)
    first = runner.diagnostics[0]
    assert (first.source, first.selected, first.value) == (Source.LEARNED, actions[0], 0.5)
    assert first.entropy == pytest.approx(np.log(sum(masks[0])))
    assert first.log_prob == pytest.approx(-np.log(sum(masks[0])))
    assert len(first.top) == 3
    finish_tick(town, {0: Option.SLEEP, 1: Option.SLEEP})
    begin_tick(town)
    runner = PolicyRunner()

    runner.step(town)

    second = runner.diagnostics[1]
    assert (second.source, second.commit_remaining) == (Source.COMMITTED, 14)
    assert second.commit_enforced is (second.selected != Option.SLEEP)
    assert second.log_prob is None


@pytest.mark.slow
def test_the_scripted_town_stays_alive_for_ten_days_from_random_starts() -> None:
    """`fast/test_ten_days.py` has many more starts, with perturbations, too."""
    config = config_of({"perturbations": {"enabled": False}})
    sufficiency: list[float] = []
    attendance: list[float] = []
    for seed in range(1, 6):
        town = open_town(tables_of(config), config, seed, random_arrivals(seed, population=8, jobs=4))
        runner = PolicyRunner()
        for _ in range(10_000):
            run_tick(town, runner)
            assert not any(event.kind in (EventKind.AGENT_EXIT, EventKind.AGENT_NEAR_DEATH) for event in town.events)
            town.events.clear()
        rows = [*town.kpis.rows, kpi_row(town)]
        sufficiency += [row.self_sufficiency for row in rows]
        attendance += [row.attendance for row in rows]

    assert sum(sufficiency) / len(sufficiency) >= 0.8
    assert sum(attendance) / len(attendance) >= 0.8


def test_a_scripted_day_begins_well() -> None:
    town = town_of(SOCIAL, population=8)
    runner = PolicyRunner()
    for _ in range(450):
        run_tick(town, runner)

    kinds = {event.kind for event in town.events}
    assert EventKind.AFFORDANCE_FINISH in kinds
    assert EventKind.SHIFT_COMPLETED in kinds
    assert EventKind.AGENT_EXIT not in kinds
    assert min(min(citizen.needs) for citizen in town.living()) > 0.1
