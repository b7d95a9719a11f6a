"""The learning benchmark: in small from end to end, its stages, and the page that is made from its report."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diorama.training.presets import load_preset
from diorama.worlds.registry import load_world, world_ids
from diorama.worlds.tidebreak.matches import MATCHES
from harness.learning.clones import against_row, beside_clones
from harness.learning.protocols import HELD_OUT_SEED, PROTOCOLS
from harness.learning.runs import fields_of, plan_of
from harness.learning.stages import StageStore

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from learning_page.curves import curve_picture  # noqa: E402
from learning_page.page import NOT_MEASURED, against_cells, learning_page  # noqa: E402


def test_every_world_has_a_protocol_with_enough_seeds_and_episodes() -> None:
    assert {protocol.world for protocol in PROTOCOLS} == set(world_ids())
    for protocol in PROTOCOLS:
        assert len(protocol.training_seeds) >= 3
        assert protocol.episodes >= 100
        load_preset(protocol.world, protocol.preset)
        assert set(protocol.scripts) <= set(load_world(protocol.world).bots)


def test_held_out_seeds_are_those_of_no_world() -> None:
    for world_id in world_ids():
        world = load_world(world_id)
        used = [seed * 1_000_000 for seed in world.evaluation.matrix_seeds]
        used += [] if world.suite is None else [world.suite.first_seed]
        assert not any(HELD_OUT_SEED <= first < HELD_OUT_SEED + 1_000_000 for first in used), world_id


def test_a_stage_is_measured_once_until_what_it_depends_on_changes(tmp_path: Path) -> None:
    measured: list[int] = []

    def measure() -> Any:
        measured.append(len(measured))
        return {"number": len(measured)}

    def result(revision: str, episodes: int, **given: Any) -> Any:
        store = StageStore(folder=tmp_path, revision=revision)
        return store.result("a stage, of one", {"episodes": episodes}, measure, **given)["number"], store.reused

    assert result("a", 1) == (1, 0)
    assert result("a", 1) == (1, 1)
    assert result("a", 2) == (2, 0), "another key"
    assert result("b", 2) == (3, 0), "another revision"
    assert result("b", 2, is_kept=lambda: False) == (4, 0), "files that are gone"


def test_policies_are_compared_with_their_clones_opponent_by_opponent() -> None:
    clones = np.tile([0.0, 1.0], (2, 2, 20))  # two training seeds, two opponents, forty episodes
    learned = clones.copy()
    learned[:, 0, :10] = 1.0
    learned[1, 1, 1] = 0.5

    compared: Any = beside_clones(("idle", "kiter"), (3, 4), learned, clones)

    idle, kiter = compared["by_opponent"]
    assert (idle["opponent"], idle["learned"], idle["clone"], idle["ahead"]) == ("idle", 0.625, 0.5, 0.125)
    assert idle["ahead_interval"][0] > 0.0
    assert [seed["ahead"] for seed in kiter["by_training_seed"]] == pytest.approx([0.0, -0.0125])
    assert compared["behind"] == [{"opponent": "kiter", "seed": 4}]
    total = compared["sum"]
    assert total["ahead"] == pytest.approx(0.125 - 0.00625)
    assert total["by_training_seed"][0]["clone"] == 1.0


def test_policies_meet_every_opponent_in_every_arena() -> None:
    protocol = next(protocol for protocol in PROTOCOLS if protocol.name == "tidebreak, corvette, long")

    fields = fields_of(protocol, plan_of(protocol, 0))

    names = [*MATCHES.scripts, "hunter"]
    assert [item.label for item in fields] == [*names, *(f"{name} (600 s)" for name in names)]
    assert [item.rule.scripts for item in fields] == [(name,) for name in (*names, *names)]
    assert [item.floor for item in fields] == [0.6] * 10 + [0.5] * 10
    assert [item.venue.config.model_dump()["time_limit_s"] for item in fields] == [1800] * 10 + [600] * 10


def test_a_protocol_without_opponents_of_its_own_meets_those_of_the_preset() -> None:
    protocol = next(protocol for protocol in PROTOCOLS if protocol.name == "tidebreak, corvette")
    prospector = PROTOCOLS[0]

    met = [item.label for item in fields_of(protocol, plan_of(protocol, 0))]

    assert met == ["idle", "drifter", "aggressor", "kiter", "evader"]
    (alone,) = fields_of(prospector, plan_of(prospector, 0))
    assert (alone.label, alone.rule.metric, alone.rule.scripts, alone.floor) == ("", "net_profit", (), None)


def test_training_seeds_below_a_bar_are_named() -> None:
    row: Any = against_row("kiter (600 s)", 0.5, (3, 4), np.array([[0.5, 0.5, 0.5], [0.5, 0.0, 0.5]]))

    assert (row["opponent"], row["floor"], row["below"]) == ("kiter (600 s)", 0.5, [4])
    assert row["by_training_seed"] == pytest.approx([0.5, 1 / 3])
    assert row["interval"][0] < row["score"] < row["interval"][1]


def test_a_world_without_opponents_has_one_row_beside_its_clones() -> None:
    compared: Any = beside_clones((), (0,), np.ones((1, 1, 5)), np.zeros((1, 1, 5)))

    assert [row["opponent"] for row in compared["by_opponent"]] == ["all"]
    assert (compared["behind"], compared["sum"]["ahead_interval"]) == ([], [1.0, 1.0])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("learning")


def measure_quickly(folder: Path) -> Any:
    command = [sys.executable, str(ROOT / "benchmarks/learning.py"), "--quick"]
    places = ["--work", str(folder / "work"), "--json", str(folder / "learning.json")]
    ended = subprocess.run([*command, *places], capture_output=True, text=True, check=False, timeout=500)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return json.loads((folder / "learning.json").read_text())


@pytest.fixture(scope="module")
def report(folder: Path) -> Any:
    return measure_quickly(folder)


@pytest.mark.slow
def test_every_part_works_in_small(report: Any) -> None:
    prospector, battle = report["protocols"]

    assert {row["kind"] for row in prospector["rows"]} >= {"script", "own", "clone"}
    assert {row["kind"] for row in battle["rows"]} == {"script", "own", "clone"}
    assert (prospector["actions"], battle["actions"]) == ("drawn", "drawn")
    assert battle["opponents"] == ["idle", "drifter"]
    assert [row["opponent"] for row in battle["beside_clones"]["by_opponent"]] == ["idle", "drifter"]
    assert [len(row["by_training_seed"]) for row in battle["beside_clones"]["by_opponent"]] == [2, 2]
    assert all(0.0 <= row["further"]["survival"]["value"] <= 1.0 for row in prospector["rows"])
    for part in report["protocols"]:
        own = [row for row in part["rows"] if row["kind"] == "own"]
        assert [row["is_declared"] for row in own] == [True, False]
        for row in part["rows"]:
            assert row["interval"][0] <= row["score"] <= row["interval"][1]
        for curve in part["curves"]:
            seconds = [point["seconds"] for point in curve["points"]]
            assert seconds == sorted(seconds)
            # A peer may need all of its time for a single update.
            assert 1 <= len(seconds) <= 2
            assert len(seconds) == 2 or curve["name"] != "learned"
    assert report["core_minutes"] > 0.0


@pytest.mark.slow
def test_a_second_measurement_reuses_every_stage(folder: Path, report: Any) -> None:
    again = measure_quickly(folder)
    for part in (*again["protocols"], *report["protocols"]):
        del part["measured_at"]

    assert again["protocols"] == report["protocols"]
    assert again["core_minutes"] == pytest.approx(report["core_minutes"])
    assert again["stages_reused"] > 0


@pytest.mark.slow
def test_the_page_shows_what_was_measured_and_says_what_was_not(report: Any) -> None:
    page = learning_page(PROTOCOLS, report)

    assert page.count("![Curves of ") == 2
    assert page.count(f": {NOT_MEASURED}.") == len(PROTOCOLS) - 2
    assert "| learned | drawn |" in page
    assert "| *learned* | *likeliest* |" in page
    assert "| Who | Actions | net profit | 95% | survival | 95% |" in page
    assert page.count("| Against | Learned | Clone |") == 1
    picture = curve_picture(report["protocols"][0])
    assert picture.count("<polyline") == len(report["protocols"][0]["curves"])


def test_the_page_says_which_bars_every_seed_has_reached() -> None:
    scores = np.array([[0.75, 0.75], [0.25, 0.75]])
    rows: Any = [against_row("idle", 0.6, (0, 1), scores), against_row("kiter", 0.5, (0, 1), scores)]

    table = "\n".join(" | ".join(cells) for cells in against_cells(rows))

    assert "idle | 0.625 (" in table
    assert "| 0.75, 0.5 | 0.6 | **no**: 1" in table
    assert "| 0.75, 0.5 | 0.5 | yes" in table


def test_without_a_report_the_page_holds_no_figure() -> None:
    page = learning_page(PROTOCOLS, None)

    assert "Nothing has been measured yet" in page
    assert page.count(f"| {NOT_MEASURED} |") == len(PROTOCOLS)
    assert "![" not in page
