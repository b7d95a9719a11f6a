"""Task files and their rules, on made-up bytes and on the shipped games."""

from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, SnapshotError, UnknownName
from diorama.worlds.gameboy.envs.arrays import HOST
from diorama.worlds.gameboy.envs.tasks.judging import TaskJudge, TaskJudgment
from diorama.worlds.gameboy.envs.tasks.novelty import NoveltyTable
from diorama.worlds.gameboy.envs.tasks.reading import load_task, parse_task
from diorama.worlds.gameboy.roms.catalogue import TASK_ROMS
from tests.worlds.gameboy.envs.batches import opened, play


class Bytes:
    """One lane's watched bytes, changed by name, and the judge that looks at them."""

    def __init__(self, rules: str, **start: int) -> None:
        self.task = parse_task(f"watch: {{a: 0xC000, b: 0xC001, c: 0xC002}}\n{dedent(rules)}", source="test")
        self.judge = TaskJudge(self.task, 1, 65536, HOST)
        self._bytes = np.zeros((1, len(self.task.addresses)), np.int32)
        self._set(start)
        self.judge.open(np.array([True]), self._bytes.copy())

    def step(self, **changes: int) -> TaskJudgment:
        self._set(changes)
        return self.judge.judge(self._bytes.copy())

    def paid(self, **changes: int) -> float:
        return float(self.step(**changes).reward[0])

    def _set(self, changes: dict[str, int]) -> None:
        for name, value in changes.items():
            symbol = int(name[1:], 16) if name.startswith("x") else name
            self._bytes[0, self.task.column(symbol)] = value


def test_a_bit_pays_while_it_is_set() -> None:
    lane = Bytes("rewards: [{rule: {bit_set: {addr: a, bit: 3}}, pay: 2.0}]")

    assert [lane.paid(a=8), lane.paid(a=9), lane.paid(a=7)] == [2.0, 2.0, 0.0]


def test_rising_pays_once_and_not_for_a_start_that_holds_already() -> None:
    rule = "rewards: [{rule: {rising: {byte_eq: {addr: 0xC001, v: 5}}}, pay: 1.0}]"

    fresh, holding = Bytes(rule), Bytes(rule, b=5)

    assert [fresh.paid(b=5), fresh.paid(), fresh.paid(b=4), fresh.paid(b=5)] == [1.0, 0.0, 0.0, 1.0]
    assert [holding.paid(), holding.paid(b=1), holding.paid(b=5)] == [0.0, 0.0, 1.0]


def test_increase_pays_by_unit_and_is_clipped_from_below() -> None:
    clipped = Bytes("rewards: [{rule: {increase: {addr: a, per_unit: 0.5}}}]", a=10)
    plain = Bytes("rewards: [{rule: {increase: {addr: a, per_unit: 0.5, clip_min: null}}}]", a=10)

    assert [clipped.paid(), clipped.paid(a=14), clipped.paid(a=2), clipped.paid(a=3)] == [0.0, 2.0, 0.0, 0.5]
    assert [plain.paid(a=14), plain.paid(a=2)] == [2.0, -6.0]


def test_a_list_contains_a_value_among_its_first_entries() -> None:
    rule = "{list_contains: {count_addr: a, base: 0xD000, stride: 2, capacity: 3, value: 7}}"
    lane = Bytes(f"terminate: [{rule}]")

    assert not lane.step(xD002=7, a=1).reached[0]
    assert lane.step(a=2).reached[0]
    assert not lane.step(xD002=0, xD004=6, a=200).reached[0]
    assert lane.step(xD004=7).reached[0]


def test_novelty_pays_for_what_was_not_seen_since_it_was_forgotten() -> None:
    lane = Bytes(
        """
        rewards:
          - {rule: {on: {rule: {rising: {byte_eq: {addr: c, v: 1}}}, reset_novelty: true}}}
          - {rule: {novelty: {keys: [a, b], bonus: 0.25}}}
        """
    )

    assert [lane.paid(), lane.paid(), lane.paid(a=1), lane.paid(b=1), lane.paid(a=0, b=0)] == [0.25, 0, 0.25, 0.25, 0]
    assert [lane.paid(c=1), lane.paid(), lane.paid(a=1)] == [0.25, 0, 0.25]


def test_a_failed_end_is_no_success() -> None:
    lane = Bytes("terminate: [{byte_eq: {addr: a, v: 1}}]\nfail: [{byte_eq: {addr: b, v: 1}}]")

    judged = lane.step(b=1)
    both = lane.step(a=1)

    assert (bool(judged.reached[0]), bool(judged.failed[0])) == (False, True)
    assert (bool(both.reached[0]), bool(both.failed[0])) == (True, False)


def test_the_cell_of_keys_is_the_specified_hash() -> None:
    table = NoveltyTable(1, 65536, HOST)
    keys = [np.array([value], np.int32) for value in (3, 250, 17, 99)]
    words = [3 * 73856093, 250 * 19349663, 17 * 83492791, 99 * 536870909]

    assert table.index(keys)[0] == (words[0] ^ words[1] ^ words[2] ^ words[3]) & 0xFFFFFFFF & 65535
    assert table.index(keys[:2])[0] == (words[0] ^ words[1]) & 65535


@pytest.mark.parametrize("cell", [-1, 16])
def test_a_cell_that_a_table_does_not_have_is_refused(cell: int) -> None:
    table = NoveltyTable(2, 16, HOST)
    table.load(1, [3, 15])

    with pytest.raises(SnapshotError, match=f"^the novelty table: a cell is {cell}; it must be 0 to 15$"):
        table.load(1, [3, cell, 5])
    assert table.known(1) == [3, 15]


def test_epochs_wrap_without_remembering_what_was_forgotten() -> None:
    table, key, mask = NoveltyTable(2, 16, HOST), [np.array([1, 1], np.int32)], np.array([True, False])
    table.visit(key)

    for _ in range(65_534):
        table.forget(mask)
    assert int(table.epochs[0]) == -1
    table.visit(key)
    table.forget(mask)

    assert table.epochs.tolist() == [1, 1]
    assert table.visit(key).tolist() == [True, False]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("[1, 2", "test line 1, column 6: .*must be YAML", id="no-yaml"),
        pytest.param("3", "test: is a int; a task file is a mapping", id="no-mapping"),
        pytest.param("watch: {}\nreward: []", "test: reward: there is no such key", id="unknown-key"),
        pytest.param(
            "watch: {a: 1}\nrewards: [{rule: {byte_eq: {addr: z, v: 1}}, pay: 1}]",
            "there is no symbol 'z' in watch; symbols are: a",
            id="unknown-symbol",
        ),
        pytest.param("watch: {a: 1}\nsenses: [q]", "there is no symbol 'q'", id="unknown-sense"),
        pytest.param(
            "watch: {a: 1}\nrewards: [{rule: {byte_eq: {addr: a, v: 1}}}]", "byte_eq needs pay", id="nothing-paid"
        ),
        pytest.param(
            "watch: {a: 1}\nrewards: [{rule: {increase: {addr: a}}, pay: 1}]",
            "increase pays by itself",
            id="paid-twice",
        ),
        pytest.param(
            "watch: {a: 1}\nterminate: [{increase: {addr: a}}]", "terminate.0: must be bit_set", id="no-condition"
        ),
        pytest.param(
            "watch: {a: 1}\nterminate: [{rising: {rising: {byte_eq: {addr: a, v: 1}}}}]",
            "rising takes bit_set, byte_eq or list_contains",
            id="rising-twice",
        ),
        pytest.param(
            "watch: {a: 1}\nterminate: [{byte_eq: {addr: a, v: 1}, bit_set: {addr: a, bit: 1}}]",
            "a rule has one kind of",
            id="two-kinds",
        ),
        pytest.param("watch: {a: 70000}", "watch.a: it should be less than", id="no-address"),
        pytest.param(
            "watch: {a: 1}\nterminate: [{list_contains: {count_addr: a, base: 0xFFFF, capacity: 2, value: 1}}]",
            "a list reaches address 0x10000",
            id="list-too-long",
        ),
        pytest.param("watch: {a: 1}\nevents: {first: 9, last: 3}", "events: .*ends at 0x0003", id="range"),
    ],
)
def test_a_wrong_task_file_is_refused_with_the_place(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_task(text, source="test")


def test_tasks_are_found_by_name_or_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("watch: {x: 0xC0F0}\nsenses: [x]\n")

    assert load_task(str(path)).sense_names == ("x", "last_reward")
    with pytest.raises(UnknownName, match="no task is called 'CHESS'; there are: CATCH, GRID_GOAL, KEYDOOR"):
        load_task("CHESS")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_task(str(tmp_path / "absent.yaml"))


def test_the_keydoor_task_pays_the_way_back_again_and_ends_at_the_door() -> None:
    batch = opened(kind="gb_tasks", rom="KEYDOOR")
    way = TASK_ROMS["KEYDOOR"].solve().actions[1:]

    rewards = play(batch, way)

    assert (len(way), bool(batch.terminated[0]), batch.step_record(0).events) == (78, True, ("goal_reached",))
    assert rewards[-1] == pytest.approx(5.02)
    assert max(rewards[:-1]) == pytest.approx(2.02)
    assert min(rewards) == pytest.approx(0.02)
    assert sum(rewards) == pytest.approx(78 * 0.02 + 7.0, abs=1e-4)


def test_senses_and_events_are_observed_beside_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "grid.yaml"
    path.write_text(
        "watch: {x: 0xC0F0, y: 0xC0F1, moves: 0xC0F2}\nsenses: [y, moves]\nevents: {first: 0xC0F0, last: 0xC0F3}\n"
        "rewards: [{name: walk, rule: {increase: {addr: moves, per_unit: 0.5}}}]\n"
    )
    batch = opened(2, kind="gb_tasks", task=str(path))
    first = batch.obs.copy()

    play(batch, TASK_ROMS["GRID_GOAL"].solve().actions[1:3])

    assert first[0].tolist() == [1.0, 0.0, 0.0]
    assert batch.field("senses")[1].tolist() == [3.0, 2.0, 0.5]
    assert batch.field("events")[1].tolist() == [1, 3, 2, 0]
    assert batch.field("pixels")[1].any()
    np.testing.assert_array_equal(batch.field("pixels")[0], batch.field("pixels")[1])
