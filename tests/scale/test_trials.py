"""Trials of a sweep without a cluster: they report, stop when told to, and go on where they stood."""

from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError
from diorama.runs.metadata import RunStatus
from diorama.runs.run import open_run
from diorama.scale.sweeps.trial import run_trial
from tests.scale.small_sweep import SPEC

CHOSEN = {"ppo.gamma": 0.95}


@pytest.mark.slow
def test_a_trial_that_is_told_to_stop_goes_on_as_if_it_never_had(tmp_path: Path) -> None:
    told: list[tuple[int, float]] = []

    def once(windows: int, score: float) -> bool:
        told.append((windows, score))
        return False

    stopped = run_trial(SPEC, CHOSEN, tmp_path, "stopped", once)
    assert stopped.was_stopped
    assert [windows for windows, _ in told] == [1, 2]
    assert told[-1] == (2, stopped.score)
    assert open_run(tmp_path, "stopped").metadata().status is RunStatus.STOPPED

    continued = run_trial(SPEC, CHOSEN, tmp_path, "stopped", lambda windows, score: True)
    whole = run_trial(SPEC, CHOSEN, tmp_path, "whole", lambda windows, score: True)

    assert continued.score == whole.score
    assert not continued.was_stopped
    assert run_trial(SPEC, CHOSEN, tmp_path, "whole", once).score == whole.score


def test_a_metric_that_no_window_has_is_refused(tmp_path: Path) -> None:
    spec = SPEC.model_copy(update={"objective": SPEC.objective.model_copy(update={"metric": "luck"})})

    with pytest.raises(ConfigError, match=r"windows have no 'luck'; there are: .*'reward_mean'"):
        run_trial(spec, CHOSEN, tmp_path, "lucky", lambda windows, score: True)
