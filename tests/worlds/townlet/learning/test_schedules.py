"""Runs that change while they go on: handing over by stages, milestones, rewards by cycle, stored episodes between."""

import json
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from diorama.cli.app import run
from diorama.cli.townlet.annealing import plan_annealing, plan_replaying
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.learn.errors import CloneRefused
from diorama.runs.checkpoints.resume import newest_resume_point
from diorama.runs.clock import SystemClock
from diorama.runs.layout import RunLayout
from diorama.runs.run import Run, open_run
from diorama.snapshots import unpack_snapshot
from diorama.telemetry.ppo.validation import validate_log
from diorama.training.callbacks.progress import NoProgress
from diorama.training.plan import TrainingPlan, plan_training
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.training.run import resume
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.contract import SNAPSHOT_MAGIC, SNAPSHOT_VERSION
from diorama.worlds.townlet.course import config_at, social_stage
from diorama.worlds.townlet.reference.words import read_town
from diorama.worlds.townlet.tables.compiling import load_tables
from tests.training.small_runs import AfterChecks, StopAfter, assert_same_training, train_small
from tests.worlds.spoiled import SEQUENCE_WORDS
from tests.worlds.townlet.small_scene import small_scene

SHORT: dict[str, Any] = {
    "copies": 2,
    "ppo": {"rollout_steps": 16},
    "windows": {"env_steps": 32},
    "evaluation": {"replays_per_window": 0, "closing_episodes": 0, "max_steps_per_episode": 2},
}
LENIENT: dict[str, object] = {"cloning": {"gate": {"recall": 0.0, "value_error": 1e9}}}
CYCLE_STEPS = 32


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schedules")
    (folder / "small.yaml").write_text(small_scene(ticks=60))
    scene = ("--scene", str(folder / "small.yaml"), "--rounds", "1", "--preset", "quick")
    assert run(["townlet", "capture", "first", "--root", str(folder), *scene]) == 0
    return folder / "first"


def handed_over(dataset: Path, *, accuracy: float = 0.0) -> TrainingPlan:
    stages = [
        {"cycle": 0, "mode": "bc", "epochs": 2},
        {"cycle": 1, "mode": "ppo", "epochs": 2, "bc_weight": 0.5},
        {"cycle": 2, "mode": "ppo", "epochs": 2},
    ]
    return plan_annealing(
        dataset,
        preset="quick",
        overrides=[("test", SHORT), ("test", LENIENT)],
        schedule={"stages": stages, "accuracy_threshold": accuracy},
    )


def plan_of(**changes: Any) -> TrainingPlan:
    layers = [
        load_preset("townlet", "quick"),
        Layer(source="short", values={"world": "townlet", "cloning": None, **SHORT}),
    ]
    return plan_training(settings_of([*layers, Layer(source="test", values=changes)]))


def stopped(root: Path, run_id: str, plan: TrainingPlan, *, after: int) -> RunLayout:
    """Train a run up to a number of cycles."""
    watch = StopAfter(after * CYCLE_STEPS)
    return train_small(root, run_id, plan, progress=watch, stop=watch.stop).layout


def records_of(layout: RunLayout) -> list[dict[str, Any]]:
    path = layout.telemetry / "ppo.ndjson"
    assert validate_log(path, is_strict=True).is_valid
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("checks", [pytest.param(1, id="reading"), pytest.param(6, id="pretraining")])
def test_a_run_stopped_while_it_clones_a_dataset_comes_out_as_one_never_stopped(
    tmp_path: Path, dataset: Path, checks: int
) -> None:
    cloning = {"dataset": str(dataset), "epochs": 3, "minibatch_rows": 32}
    plan = plan_of(cloning=cloning, steps=2 * CYCLE_STEPS)
    whole = train_small(tmp_path, "whole", plan).layout

    parts = train_small(tmp_path, "parts", plan, stop=AfterChecks(checks))
    resume(plan, tmp_path, "parts", steps=plan.settings.steps, progress=NoProgress(), stop=Event(), clock=SystemClock())

    assert parts.env_steps_total == 0
    assert_same_training(whole, parts.layout)


@pytest.mark.slow
def test_a_schedule_hands_over(tmp_path: Path, dataset: Path) -> None:
    plan = handed_over(dataset)

    layout = train_small(tmp_path, "whole", plan).layout

    results = json.loads((layout.directory / "anneal_results.json").read_text())
    assert [stage["mode"] for stage in results["stages"]] == ["bc", "ppo", "ppo"]
    assert [stage["ratio"] for stage in results["stages"]] == [None, 0.2, 1.0]
    assert (results["dataset"], results["status"] in ("PASS", "HOLD"), len(results["policy_hash"])) == (
        "first",
        True,
        64,
    )
    assert results["baselines"]["key_figures"].keys() == {"self_sufficiency", "attendance", "reward_mean"}
    records = records_of(layout)
    assert [record["anneal_ratio"] for record in records] == [0.2, 0.2, 1.0, 1.0]


def test_a_clone_that_does_not_pass_ends_the_run_with_the_weights_before_it(tmp_path: Path, dataset: Path) -> None:
    plan = handed_over(dataset, accuracy=1.0)
    settings = plan.settings.model_copy(
        update={"cloning": plan.settings.cloning and plan.settings.cloning.model_copy(update={"learning_rate": 1e-9})}
    )

    with pytest.raises(CloneRefused, match="accuracy is"):
        train_small(tmp_path, "poor", plan_training(settings))

    results = json.loads((tmp_path / "poor/anneal_results.json").read_text())
    assert (results["status"], results["rolled_back"]) == ("FAIL", True)
    assert len(results["stages"]) == 1
    assert results["stages"][0]["rolled_back"]
    assert open_run(tmp_path, "poor").metadata().status.value == "failed"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        pytest.param({"steps": 7}, "set steps to 64, not 7", id="steps"),
        pytest.param({"steps": 64, "ppo": {"teacher_share": 0.5}}, "ppo.teacher_share", id="teacher"),
        pytest.param(
            {"steps": 64, "anneal": {"stages": [{"cycle": 0, "mode": "ppo", "epochs": 2, "bc_weight": 1}]}},
            "cloning.dataset",
            id="nothing-to-imitate",
        ),
        pytest.param({"backend": "random"}, "needs the backend ppo", id="random"),
    ],
)
def test_a_schedule_that_cannot_be_run_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        plan_of(**{"anneal": {"stages": [{"cycle": 0, "mode": "ppo", "epochs": 2}]}, **changes})


def test_a_world_without_a_controller_cannot_be_handed_over() -> None:
    with pytest.raises(ConfigError, match="no expert to hand over from"):
        plan_training(
            settings_of(
                [
                    Layer(
                        source="test",
                        values={"world": "prospector", "anneal": {"stages": [{"cycle": 0, "mode": "ppo"}]}},
                    )
                ]
            )
        )


def test_a_mixed_run_learns_from_stored_episodes_before_every_rollout(tmp_path: Path, dataset: Path) -> None:
    plan = plan_of(steps=3 * CYCLE_STEPS, replay={"dataset": str(dataset)})

    records = records_of(stopped(tmp_path, "mixed", plan, after=2))

    assert {record["data_mode"] for record in records} == {"mixed"}
    assert [record["cycle_id"] for record in records] == [1, 1, 2, 2]
    assert [record["rollout_ticks"] for record in records] == [0, 32, 0, 32]
    assert [record["log_stream_offset"] for record in records] == [1, 2, 3, 4]


def test_a_run_learns_from_stored_episodes_alone(tmp_path: Path, dataset: Path) -> None:
    chosen = ("--preset", "quick", "--run-root", str(tmp_path), "--run-id", "alone", "--epochs", "3")
    assert run(["townlet", "replay", str(dataset), *chosen]) == 0

    records = records_of(Run(RunLayout(tmp_path / "alone")).layout)
    assert [(record["data_mode"], record["cycle_id"], record["rollout_ticks"]) for record in records] == [
        ("replay", 0, 0)
    ] * 3
    assert records[0]["steps"] < records[1]["steps"] < records[2]["steps"]
    begun = plan_replaying(dataset, preset="quick", overrides=[], start=tmp_path / "alone")
    assert begun.settings.start == str(tmp_path / "alone")
    assert open_run(tmp_path, "alone").metadata().latest_checkpoint is not None


def test_milestones_are_left_when_their_bands_hold_and_what_copies_have_met_goes_on_with_them(tmp_path: Path) -> None:
    curious = {"features": {"training": {"curiosity": "phase_A"}}}
    plan = plan_of(steps=5 * CYCLE_STEPS, course={"last": "M1"}, config=curious)

    layout = stopped(tmp_path, "walk", plan, after=4)

    assert [row["overlay"] for row in Run(layout).windows()] == ["M0", "M0", "M1", "M1"]
    assert isinstance(plan.venue.config, TownletConfig)
    assert plan.venue.config.economy.stipend_per_day == 1.5
    for snapshot in newest_resume_point(layout).training.snapshots:
        header, words = unpack_snapshot(snapshot, SNAPSHOT_MAGIC, SNAPSHOT_VERSION)
        config = TownletConfig.model_validate(header)
        town = read_town(words[SEQUENCE_WORDS:], load_tables(config), config)
        assert config.curiosity.phase_A_weight == pytest.approx(0.01)
        assert sum(town.visits.values()) == 4 * plan.settings.trainer.ppo.rollout_steps * config.world.population


@pytest.mark.parametrize(
    ("course", "error", "reason"),
    [
        pytest.param({"first": "M9"}, UnknownName, "M9", id="unknown"),
        pytest.param({"first": "M2", "last": "M1"}, ConfigError, "M1 comes before M2", id="backwards"),
    ],
)
def test_a_course_must_lead_forward(course: dict[str, str], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        plan_of(course=course)


def test_social_rewards_follow_the_schedule_of_cycles(tmp_path: Path) -> None:
    config = {
        "training": {"social_reward_schedule": [{"cycle": 2, "stage": "C2"}, {"cycle": 1, "stage": "C1"}]},
        "features": {"stages": {"relationships": "C2"}},
    }
    plan = plan_of(steps=3 * CYCLE_STEPS, config=config)

    layout = stopped(tmp_path, "social", plan, after=2)

    town = plan.venue.config
    assert isinstance(town, TownletConfig)
    assert [social_stage(town, cycle) for cycle in range(4)] == ["OFF", "C1", "C2", "C2"]
    header, _ = unpack_snapshot(newest_resume_point(layout).training.snapshots[0], SNAPSHOT_MAGIC, SNAPSHOT_VERSION)
    assert header["features"]["stages"]["social_rewards"] == "C1"


def test_an_override_wins_over_the_schedule_and_nothing_goes_beyond_the_relationships() -> None:
    training = {"social_reward_stage_override": "C1", "social_reward_schedule": [{"cycle": 0, "stage": "C2"}]}
    town = TownletConfig.model_validate({"training": training, "features": {"stages": {"relationships": "C1"}}})

    assert config_at(town, None, 5).features.stages.social_rewards == "C1"
    with pytest.raises(ConfigError, match="beyond the relationships"):
        plan_of(config={"training": {"social_reward_schedule": [{"cycle": 3, "stage": "C1"}]}})


def test_curiosity_fades_along_the_milestones() -> None:
    town = TownletConfig.model_validate({"features": {"training": {"curiosity": "phase_A"}}})

    weights = [config_at(town, name, 0).curiosity.phase_A_weight for name in (None, "M0", "M1", "M2", "M5")]

    assert weights == pytest.approx([0.02, 0.02, 0.01, 0.0, 0.0])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["anneal", "mixed", "course"])
def test_a_run_that_changes_can_be_cut_off_and_comes_out_the_same(tmp_path: Path, dataset: Path, kind: str) -> None:
    plan = {
        "anneal": lambda: handed_over(dataset),
        "mixed": lambda: plan_of(steps=4 * CYCLE_STEPS, replay={"dataset": str(dataset)}),
        "course": lambda: plan_of(steps=4 * CYCLE_STEPS, course={"last": "M1"}),
    }[kind]()

    whole = train_small(tmp_path, "whole", plan).layout
    parts = stopped(tmp_path, "parts", plan, after=3)
    resume(plan, tmp_path, "parts", steps=plan.settings.steps, progress=NoProgress(), stop=Event(), clock=SystemClock())

    assert_same_training(whole, parts)
    assert [record["log_stream_offset"] for record in records_of(parts)] == [
        record["log_stream_offset"] for record in records_of(whole)
    ]
    if kind == "anneal":
        first, second = ((layout.directory / "anneal_results.json").read_text() for layout in (whole, parts))
        assert first == second
