"""What a sweep file may say."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from diorama.cli.app import app
from diorama.contracts.errors import ConfigError, DioramaError
from diorama.scale.sweeps.spec import Range, read_spec
from diorama.scale.sweeps.trial import trial_settings

GOOD = """
world: prospector
preset: quick
settings: {steps: 4096}
space:
  optimizer.learning_rate: {low: 1.0e-4, high: 1.0e-2, log: true}
  ppo.update_epochs: {low: 1, high: 4, integer: true}
  ppo.num_minibatches: [1, 2]
"""


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_a_space_has_ranges_and_choices(tmp_path: Path) -> None:
    spec = read_spec(written(tmp_path / "sweep.yaml", GOOD))

    assert spec.space["optimizer.learning_rate"] == Range(low=1e-4, high=1e-2, log=True)
    assert spec.space["ppo.num_minibatches"] == (1, 2)
    settings = trial_settings(spec, {"ppo.update_epochs": 3, "optimizer.learning_rate": 0.002})
    assert (settings.steps, settings.ppo.update_epochs, settings.optimizer.learning_rate) == (4096, 3, 0.002)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("world: [", "must be YAML"),
        ("world: prospector", "space: it is missing"),
        (GOOD + "speed: 3", "speed: there is no such key"),
        (GOOD + "  x: {low: 2, high: 1}", "low 2 must be below high 1"),
        (GOOD + "  x: {low: 0, high: 1, log: true}", "starts above 0, not at 0"),
        (GOOD + "  x: {low: 0.5, high: 1, integer: true}", "has whole ends"),
        (GOOD + "  steps: [1, 2]", "steps stands in settings and in space"),
        (GOOD + "  x: []", "at least 1 item"),
        (GOOD + "method: nsga2", "set stopping: never"),
        (GOOD + "seeds: [1, 1]", "seeds names a training seed twice"),
        (GOOD + "seeds: []", "at least 1 item"),
        (GOOD.replace("steps: 4096", "seed: 1") + "seeds: [1]", "seed is set by seeds"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=said):
        read_spec(written(tmp_path / "sweep.yaml", text))


def test_a_setting_that_does_not_exist_is_refused_before_anything_runs(tmp_path: Path) -> None:
    spec = read_spec(written(tmp_path / "sweep.yaml", GOOD))

    with pytest.raises(ConfigError, match="space of the sweep"):
        trial_settings(spec, {"ppo.gama": 0.9})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("prospector", "nowhere"), "no world is called 'nowhere'"),
        (GOOD.replace("ppo.update_epochs", "ppo.epochs"), "ppo.epochs"),
    ],
)
def test_what_no_trial_could_run_is_refused_before_anything_is_written(text: str, said: str, tmp_path: Path) -> None:
    answer = CliRunner().invoke(
        app, ["sweep", str(written(tmp_path / "sweep.yaml", text)), "--root", str(tmp_path / "sweeps")]
    )

    assert isinstance(answer.exception, DioramaError)
    assert said in str(answer.exception)
    assert not (tmp_path / "sweeps").exists()
