"""The shell completes names of everything that has one."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.runs.factories import empty_run, recorded

BOTS: Final = [
    *("cash_out", "idle", "random_valid", "greedy_miner", "cautious_scanner", "market_timer", "prudent_hauler"),
    *("refiner", "explorer"),
]


def completed(typed: str, shell: str = "bash", **environment: str) -> str:
    """Return what a shell is told when the tab key is pressed at the end of what was typed."""
    request = {
        "_DIORAMA_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(typed.count(" ")),
        "_TYPER_COMPLETE_ARGS": typed,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = subprocess.run(
        [sys.executable, "-m", "diorama"],
        env=os.environ | request | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        pytest.param("diorama wor", ["worlds"], id="command"),
        pytest.param("diorama replay ver", ["verify"], id="inner-command"),
        pytest.param("diorama rollout pros", ["prospector"], id="world"),
        pytest.param("diorama rollout prospector --bot pru", ["prudent_hauler"], id="bot"),
        pytest.param("diorama eval prospector --bot ", BOTS, id="all-bots"),
        pytest.param("diorama parity prospector --suite ", ["A", "B", "C", "D", "E"], id="suite"),
        pytest.param("diorama train prospector --preset qui", ["quick"], id="preset"),
        pytest.param("diorama train prospector --backend ", ["ppo", "random"], id="backend"),
        pytest.param("diorama live townlet --speed 1", ["1x", "10x", "100x"], id="speed"),
        pytest.param("diorama townlet scenario queue", ["queue_conflict"], id="scenario"),
        pytest.param("diorama townlet rehearse pro", ["promotion"], id="rehearsal"),
        pytest.param("diorama tidebreak fight corv", ["corvette_duel"], id="battle"),
        pytest.param("diorama gameboy play GRID", ["GRID_GOAL"], id="rom"),
    ],
)
def test_the_shell_completes_names(typed: str, offered: list[str]) -> None:
    assert completed(typed).split() == offered


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param("diorama eval my-", id="eval"),
        pytest.param("diorama export my-", id="export"),
        pytest.param("diorama watch my-", id="watch"),
        pytest.param("diorama replay list my-", id="replay"),
        pytest.param("diorama train prospector --resume my-", id="resume"),
        pytest.param("diorama live prospector --policy my-", id="policy"),
        pytest.param("diorama morphogenesis query my-", id="query"),
    ],
)
def test_the_shell_completes_runs(typed: str, tmp_path: Path) -> None:
    for name in ("my-run", "other"):
        (tmp_path / name).mkdir()

    assert completed(typed, DIORAMA_RUNS_ROOT=str(tmp_path)).split() == ["my-run"]


def test_the_shell_completes_the_replays_of_a_run_newest_first(tmp_path: Path) -> None:
    layout = empty_run(tmp_path, "my-run")
    made = [recorded(layout, bot="idle", max_steps=2, window_id=window).replay_id for window in (1, 2)]

    offered = completed("diorama replay show my-run ", DIORAMA_RUNS_ROOT=str(tmp_path))

    assert offered.split() == made[::-1]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_complete_names_too(shell: str) -> None:
    assert "prospector" in completed("diorama rollout pros", shell)
