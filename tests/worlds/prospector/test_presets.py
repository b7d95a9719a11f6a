"""What presets say of themselves."""

import json
from pathlib import Path

import pytest

from diorama.cli.app import run


@pytest.mark.slow
def test_a_policy_of_the_preset_imitate_earns_most_of_what_its_teacher_does(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    root = ("--run-root", str(tmp_path / "runs"))
    trained = run(["train", "prospector", "--preset", "imitate", "--run-id", "clone", "--closing-episodes", "0", *root])
    judged = run(
        [
            *("eval", "clone", "--bot", "prudent_hauler", "--episodes", "50", "--base-seed", "61000000"),
            *("--json", str(report), *root),
        ]
    )

    clone, teacher = (row["aggregate"] for row in json.loads(report.read_text())["contenders"])
    assert (trained, judged) == (0, 0)
    assert clone["net_profit_mean"] > 0.7 * teacher["net_profit_mean"]
    assert clone["survival_rate"] > 0.9
