"""Checkpoints judged on validation seeds: which is the best, what keeps it, and how it is chosen."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.engine.venue import open_venue
from diorama.learn.evaluation.contest import seed_matrix
from diorama.runs.checkpoints.choosing import choose_checkpoint
from diorama.runs.checkpoints.files import checkpoint_paths, newest_checkpoint, read_checkpoint_header
from diorama.runs.documents import read_document, replace_document
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import BestCheckpoint, RunMetadata, RunStatus
from diorama.runs.run import open_run
from diorama.runs.validation import ValidatedCheckpoint, best_validated, read_validation
from diorama.training.callbacks.progress import NoProgress
from diorama.training.evaluation import run_contender
from diorama.training.settings import EvaluationSettings
from diorama.worlds.registry import load_world, world_ids
from tests.refusals import refused
from tests.training.small_runs import (
    SMALL_MATCHES,
    StopAfter,
    assert_same_policies,
    assert_same_training,
    resume_small,
    rows_without_wall_clock,
    small_plan,
    train_small,
)

VALIDATED = {"validation_episodes": 3, "validation_metric": "return_v2", "closing_episodes": 1}
EVERY_WINDOW = {
    "steps": 2048,
    "windows": {"env_steps": 512},
    "checkpoints": {"every_windows": 1},
    "evaluation": {**VALIDATED, "max_steps_per_episode": 16},
}


class Lines(NoProgress):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


def scores_of(layout: RunLayout) -> list[tuple[int, int, float]]:
    return [(row.window_id, row.env_steps_total, row.score) for row in read_validation(layout)]


def marked(layout: RunLayout) -> tuple[int, float]:
    best = open_run(layout.directory.parent, layout.run_id).metadata().best_checkpoint
    assert best is not None
    return best.window_id, best.score


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> RunLayout:
    return train_small(tmp_path_factory.mktemp("judged"), "whole", small_plan(**EVERY_WINDOW)).layout


def test_every_checkpoint_is_judged_and_the_best_is_marked(judged: RunLayout) -> None:
    rows = read_validation(judged)

    assert [row.window_id for row in rows] == [0, 1, 2, 3]
    assert {(row.metric, row.episodes) for row in rows} == {("return_v2", 3)}
    assert len({row.score for row in rows}) > 1, "the policies differ, and so do their scores"
    best = best_validated(rows)
    assert best is not None
    assert marked(judged) == (best.window_id, best.score)
    assert choose_checkpoint(judged) == judged.resolve(best.path)


def test_a_score_is_the_one_that_an_evaluation_of_the_same_seeds_gives(judged: RunLayout) -> None:
    from diorama.learn.evaluation.episodes import SilentProgress
    from diorama.learn.evaluation.scores import score_episodes, score_rule

    plan = small_plan(**EVERY_WINDOW)
    contender = run_contender(judged, plan.venue, deterministic=True, checkpoint="2")

    scores = score_episodes(
        plan.venue,
        contender,
        score_rule(plan.venue, "return_v2"),
        [70_000_000, 70_000_001, 70_000_002],
        max_decisions=10_000,
        progress=SilentProgress(),
    )

    assert scores.mean() == read_validation(judged)[2].score


def test_validation_does_not_change_training(tmp_path: Path, judged: RunLayout) -> None:
    plain = train_small(tmp_path, "plain", small_plan(**{**EVERY_WINDOW, "evaluation": {"closing_episodes": 1}}))

    assert rows_without_wall_clock(plain.layout) == rows_without_wall_clock(judged)
    assert_same_policies(plain.layout, judged)
    assert not plain.layout.validation.exists()
    assert open_run(tmp_path, "plain").metadata().best_checkpoint is None


@pytest.mark.parametrize("env_steps", [256, 1024, 1280])
def test_a_resumed_run_has_the_scores_and_the_best_of_one_never_stopped(
    tmp_path: Path, judged: RunLayout, env_steps: int
) -> None:
    plan = small_plan(**EVERY_WINDOW)
    stop = StopAfter(env_steps)
    parts = train_small(tmp_path, "parts", plan, progress=stop, stop=stop.stop)
    assert parts.status is RunStatus.STOPPED

    resume_small(tmp_path, "parts", plan)

    assert scores_of(parts.layout) == scores_of(judged)
    assert marked(parts.layout) == marked(judged)
    assert_same_training(parts.layout, judged)


def test_scores_of_checkpoints_that_are_written_again_are_forgotten(tmp_path: Path, judged: RunLayout) -> None:
    plan = small_plan(**{**EVERY_WINDOW, "steps": 1024})
    layout = train_small(tmp_path, "parts", plan).layout
    # As if the process had been killed before the checkpoint of the last window was there.
    resume = next(layout.checkpoints.glob("resume_*"))
    newest = newest_checkpoint(layout)
    stop = StopAfter(512)
    early = train_small(tmp_path, "early", small_plan(**EVERY_WINDOW), progress=stop, stop=stop.stop).layout
    resume.unlink()
    newest.unlink()
    (layout.checkpoints / "resume_000000.safetensors").write_bytes(
        (early.checkpoints / "resume_000000.safetensors").read_bytes()
    )

    resume_small(tmp_path, "parts", small_plan(**EVERY_WINDOW), steps=2048)

    assert scores_of(layout) == scores_of(judged)


def test_the_best_stays_beside_the_newest(tmp_path: Path, judged: RunLayout) -> None:
    plan = small_plan(**{**EVERY_WINDOW, "checkpoints": {"every_windows": 1, "keep_newest": 1}})

    layout = train_small(tmp_path, "few", plan).layout

    windows = {read_checkpoint_header(path).window_id for path in checkpoint_paths(layout)}
    assert marked(layout) == marked(judged)
    assert {marked(layout)[0], 3} <= windows
    assert len(windows) <= 3, "the newest, the best on validation seeds, and the best by its windows"


def test_the_last_checkpoint_of_a_complete_run_is_judged_though_its_window_is_open(tmp_path: Path) -> None:
    progress = Lines()

    layout = train_small(tmp_path, "open", small_plan(**{**EVERY_WINDOW, "steps": 256}), progress=progress).layout

    assert [(row.window_id, row.env_steps_total) for row in read_validation(layout)] == [(0, 256)]
    assert progress.lines[-1].startswith("best checkpoint: window 0, return_v2 ")


def test_a_world_with_opponents_is_judged_by_results_against_its_scripts(tmp_path: Path) -> None:
    evaluation = {"max_steps_per_episode": 4, "closing_episodes": 0, "validation_episodes": 1}
    config = {"stage": 1, "seats": 2, "observation": "compact", "time_limit_s": 60}

    layout = train_small(
        tmp_path, "duel", small_plan(SMALL_MATCHES, evaluation=evaluation, config=config, steps=512)
    ).layout

    (row,) = read_validation(layout)
    assert row.metric == "win"
    assert 0.0 <= row.score <= 1.0


def test_validation_seeds_are_those_of_no_evaluation() -> None:
    first = EvaluationSettings().validation_seed
    for world_id in world_ids():
        world = load_world(world_id)
        used = {seed for seeds in seed_matrix(world.evaluation.matrix_seeds, 1000) for seed in seeds.seeds}
        if world.suite is not None:
            used |= {world.suite.first_seed + number for number in range(1000)}
        assert not any(first <= seed < first + 1_000_000 for seed in used), world_id


@pytest.mark.parametrize(
    ("metric", "kind", "code"),
    [
        pytest.param("luck", UnknownName, "unknown_metric", id="unknown"),
        pytest.param("overheat_ticks", ConfigError, "metric_does_not_rise", id="less-is-better"),
    ],
)
def test_a_metric_that_cannot_choose_is_refused(metric: str, kind: type[ConfigError], code: str) -> None:
    with refused(kind, code):
        small_plan(evaluation={"validation_episodes": 2, "validation_metric": metric})


@pytest.mark.parametrize(
    ("scores", "error", "kept", "best"),
    [
        pytest.param((0.5, 1.0, 1.0, 0.2), 0.0, "0123", 2, id="the-later-of-equals"),
        pytest.param((0.5, 1.0, 0.8, 0.2), 0.3, "0123", 2, id="the-newest-within-a-standard-error"),
        pytest.param((0.5, 1.0, 0.8, 0.2), 0.1, "0123", 1, id="the-highest-where-it-stands-out"),
        pytest.param((0.5, 1.0, 0.8, 0.7), 0.2, "23", 2, id="deleted-ones-say-what-is-high"),
        pytest.param((0.5, 1.0, 0.7, 0.6), 0.1, "023", 2, id="the-highest-of-those-kept"),
        pytest.param((), 0.0, "", None, id="none-of-none"),
    ],
)
def test_the_best_checkpoint_is_the_newest_of_those_that_cannot_be_told_apart(
    scores: Sequence[float], error: float, kept: str, best: int | None
) -> None:
    rows = [
        ValidatedCheckpoint(
            window_id=window,
            env_steps_total=window,
            path=str(window),
            sha256="",
            created_at="",
            metric="win",
            episodes=1,
            score=score,
            standard_error=error,
        )
        for window, score in enumerate(scores)
    ]

    chosen = best_validated(rows, kept=kept)

    assert (None if chosen is None else chosen.window_id) == best


class TestChoosing:
    """Checkpoints of a run without a validation, some of which disappear."""

    @pytest.fixture
    def layout(self, tmp_path: Path) -> RunLayout:
        return train_small(tmp_path, "run", small_plan(backend="random", steps=4096)).layout

    def mark(self, layout: RunLayout, window_id: int, env_steps_total: int) -> None:
        metadata = read_document(layout.metadata, RunMetadata)
        best = BestCheckpoint(
            window_id=window_id,
            env_steps_total=env_steps_total,
            path=f"checkpoints/ckpt_{window_id:06d}.json",
            sha256="",
            created_at="",
            metric="win",
            episodes=1,
            score=1.0,
        )
        replace_document(
            layout.metadata,
            RunMetadata(**{**{f: getattr(metadata, f) for f in metadata.__struct_fields__}, "best_checkpoint": best}),
        )

    def test_without_a_best_one_the_newest_is_used(self, layout: RunLayout) -> None:
        assert choose_checkpoint(layout) == choose_checkpoint(layout, "newest") == newest_checkpoint(layout)
        with refused(UnknownName, "no_best_checkpoint", run_id="run"):
            choose_checkpoint(layout, "best")
        with refused(UnknownName, "no_clone_checkpoint", run_id="run"):
            choose_checkpoint(layout, "clone")

    def test_the_best_one_is_used_and_others_can_be_named(self, layout: RunLayout) -> None:
        self.mark(layout, 1, read_checkpoint_header(checkpoint_paths(layout)[0]).env_steps_total)

        assert choose_checkpoint(layout) == choose_checkpoint(layout, "best") == choose_checkpoint(layout, "1")
        assert choose_checkpoint(layout, "newest") == choose_checkpoint(layout, "4")
        with refused(UnknownName, "unknown_checkpoint", name="7"):
            choose_checkpoint(layout, "7")

    @pytest.mark.parametrize("env_steps", [1, 2000], ids=["other-bytes", "gone"])
    def test_a_best_one_that_is_gone_or_another_is_not_used(self, layout: RunLayout, env_steps: int) -> None:
        self.mark(layout, 1, env_steps)
        if env_steps > 1:
            checkpoint_paths(layout)[0].unlink()

        assert choose_checkpoint(layout) == newest_checkpoint(layout)


def test_scores_need_a_world() -> None:
    venue = open_venue("gameboy")
    from diorama.learn.evaluation.scores import score_rule

    assert score_rule(venue).metric == "success"
