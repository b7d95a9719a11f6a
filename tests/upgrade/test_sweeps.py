"""A sweep that an earlier version has left goes on."""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from diorama.contracts.errors import ConfigError
from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run
from diorama.scale.cluster import LOCAL, cluster
from diorama.scale.sweeps.report import REPORT, SweepRequest
from diorama.scale.sweeps.running import run_sweep
from tests.upgrade.sweeps import SPEC, recorded_sweep


def trials(request: SweepRequest) -> list[dict[str, Any]]:
    document = json.loads((request.directory / REPORT).read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = document["trials"]
    return found


def test_its_report_is_read(copied: Path) -> None:
    asked_otherwise = recorded_sweep(copied / "sweep", SPEC.model_copy(update={"seed": 6}))

    with pytest.raises(ConfigError, match="'search' was begun with another seed; give a new --name"):
        run_sweep(asked_otherwise, told=lambda rows: None)


@pytest.mark.slow
@pytest.mark.skipif(
    find_spec("ray") is None or find_spec("optuna") is None,
    reason="Ray and Optuna are not installed; the extra 'scale' brings them",
)
@pytest.mark.filterwarnings("ignore")
def test_it_goes_on(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    more = recorded_sweep(copied / "sweep", SPEC.model_copy(update={"trials": SPEC.trials + 1}))
    before = trials(more)
    left = open_run(more.run_root, before[-1]["run_id"])
    windows = left.windows()

    with cluster(LOCAL, cpus=1):
        run_sweep(more, told=lambda rows: None)

    after = trials(more)
    assert [trial["state"] for trial in before] == ["complete", "complete", "running"]
    assert after[:2] == before[:2]
    assert [trial["state"] for trial in after] == ["complete"] * 4
    assert after[2]["chosen"] == before[2]["chosen"]
    assert 0 < len(windows) < 4
    assert left.windows()[: len(windows)] == windows
    assert (left.metadata().status, left.metadata().env_steps_total) == (RunStatus.COMPLETED, 8192)
