"""The wording of errors of the package `training` that users can cause; other tests assert codes and fields."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from diorama.contracts.errors import DioramaError
from diorama.engine.venue import open_venue
from diorama.runs.clock import SystemClock
from diorama.runs.layout import RunLayout
from diorama.training.callbacks.progress import NoProgress
from diorama.training.evaluation import run_contender
from diorama.training.export import ExportRequest, export_policy
from diorama.training.offline import CloningRun, OfflineRun
from diorama.training.policy_files import load_policy
from diorama.training.presets import load_preset
from diorama.training.run_directory import check_new
from tests.training.mistakes import (
    ANNEAL,
    RUN,
    continue_after_the_gate,
    load_of_a_trainer,
    load_without_course,
    load_without_rounds,
    lose_the_launcher,
    miss_the_gate,
    plan,
    ramp,
    read_changed_settings,
    read_preset,
    start_from_stored,
    store_policy,
    target,
    town,
    train_in_processes,
    train_with_workers,
)
from tests.training.small_runs import resume_small, small_plan, train_small

HASH = re.compile(r"\b[0-9a-f]{12}\b")
SHARE = re.compile(r"(?<=accuracy is )0\.\d{3}")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a completed run that played at random."""
    folder = tmp_path_factory.mktemp("root")
    train_small(folder, RUN, small_plan(backend="random", steps=64))
    return folder


@pytest.mark.parametrize(
    ("cause", "message"),
    [
        pytest.param(
            lambda root: plan("morphogenesis", ppo={"rollout_steps": 3, "gamma": 0.5}),
            "ppo.rollout_steps is 3, but every episode has 40 decisions; ppo.gamma is 0.5, but the rewards are "
            "made for 0.995 (the defaults are right)",
            id="world_needs_other_settings",
        ),
        pytest.param(
            lambda root: plan(course={}),
            "'prospector' has no overlays to follow a course of; leave out course",
            id="world_has_no_course",
        ),
        pytest.param(
            lambda root: town(course={"first": "M2", "last": "M1"}),
            "course: M1 comes before M2; the order is M0, M1, M2, M2.5, M3, C1, C2, C3, M4, M5",
            id="course_ends_before_it_starts",
        ),
        pytest.param(
            lambda root: town(course={"last": "M9"}),
            "no overlay of 'townlet' (in course) is called 'M9'; there are: M0, M1, M2, M2.5, M3, C1, C2, C3, M4, M5",
            id="unknown_overlay-of_the_course",
        ),
        pytest.param(
            lambda root: town(overlay="M9"),
            "no overlay of 'townlet' is called 'M9'; there are: M0, M1, M2, M2.5, M3, C1, C2, C3, M4, M5",
            id="unknown_overlay",
        ),
        pytest.param(
            lambda root: plan(self_play={}),
            "'prospector' has no opponents; leave out self_play and curriculum",
            id="world_has_no_opponents",
        ),
        pytest.param(
            lambda root: plan("tidebreak", config={"seats": 2}, self_play={"scripts": ["sleeper"]}),
            "no script (in self_play.scripts) is called 'sleeper'; there are: idle, drifter, aggressor, kiter, "
            "ambusher, escort, evader, boarder, auto, hunter, stalker, champion/tidebreak",
            id="unknown_script",
        ),
        pytest.param(
            lambda root: plan("tidebreak", config={"seats": 2}, self_play={"scripts": [], "pool_every": None}),
            "self_play: without scripts and without pool_every there are no opponents",
            id="self_play_has_no_opponents",
        ),
        pytest.param(
            lambda root: plan(anneal=ANNEAL),
            "'prospector' has no expert to hand over from; leave out anneal",
            id="world_has_no_expert",
        ),
        pytest.param(
            lambda root: town(anneal={"stages": [{"cycle": 0, "mode": "ppo", "epochs": 2, "bc_weight": 1.0}]}),
            "anneal: its stages imitate; name the dataset in cloning.dataset",
            id="anneal_needs_dataset",
        ),
        pytest.param(
            lambda root: town(anneal=ANNEAL, ppo={"rollout_steps": 16, "teacher_share": 0.5}),
            "anneal: its stages set the share of the expert; leave out ppo.teacher_share and ppo.vtrace",
            id="anneal_excludes_teacher_share",
        ),
        pytest.param(
            lambda root: town(anneal=ANNEAL, cloning={"dataset": "first", "anneal": 0.5}),
            "anneal: its stages set the weight of the cloning loss (bc_weight); leave cloning.anneal at 0",
            id="anneal_excludes_cloning_anneal",
        ),
        pytest.param(
            lambda root: town(anneal=ANNEAL, steps=7),
            "anneal: its ppo stages take 2 cycles of 16 decisions in 2 copies; set steps to 64, not 7",
            id="anneal_needs_other_steps",
        ),
        pytest.param(
            lambda root: plan(backend="random", cloning={"bot": "prudent_hauler"}),
            "settings: cloning needs the backend ppo, because random learns nothing; cloning=null leaves it out",
            id="cloning_needs_ppo",
        ),
        pytest.param(
            lambda root: plan(backend="random", start="runs/first"),
            "settings: start needs the backend ppo; random learns nothing",
            id="start_needs_ppo",
        ),
        pytest.param(
            lambda root: plan(backend="random", self_play={}),
            "settings: self_play and curriculum need the backend ppo; random learns nothing",
            id="matches_need_ppo",
        ),
        pytest.param(
            lambda root: plan(backend="random", course={}),
            "settings: course needs the backend ppo; random learns nothing",
            id="section_needs_ppo",
        ),
        pytest.param(
            lambda root: plan(self_play={}, replay={"dataset": "first"}),
            "settings: replay cannot be combined with self_play or curriculum",
            id="section_excludes_matches",
        ),
        pytest.param(
            lambda root: town(overlay="M1", course={}),
            "settings: overlay stays the same and course moves on; name the first overlay in course.first instead",
            id="overlay_excludes_course",
        ),
        pytest.param(
            lambda root: plan(copies=1 << 30),
            "copies is 1073741824; use 1..1048576",
            id="copies_out_of_range",
        ),
        pytest.param(
            lambda root: plan(cloning={"bot": "prudent_hawler"}),
            "no bot of 'prospector' (in cloning.bot) is called 'prudent_hawler' (did you mean 'prudent_hauler'?);"
            " there are: cash_out, idle, random_valid, greedy_miner, cautious_scanner, market_timer, "
            "prudent_hauler, refiner, explorer",
            id="unknown_bot",
        ),
        pytest.param(
            lambda root: plan(execution={"device": "tpu"}),
            "execution.device: 'tpu' is no device; use cpu, cuda or cuda:N",
            id="device_invalid",
        ),
        pytest.param(
            lambda root: plan(execution={"device": "cuda:99"}),
            f"execution.device: 'cuda:99' does not exist; this machine has {torch.cuda.device_count()} GPUs, use cpu",
            id="device_missing",
        ),
        pytest.param(
            lambda root: train_in_processes(copies=3),
            "--processes 2: copies is 3, which the processes cannot share evenly; use a multiple of 2",
            id="copies_not_divisible",
        ),
        pytest.param(
            lambda root: train_in_processes(world="tidebreak", config={"seats": 2}, self_play={}),
            "--processes 2 cannot be combined with self_play or curriculum; use --ray-workers 2",
            id="processes_exclude_matches",
        ),
        pytest.param(
            lambda root: train_in_processes(normalization={"rewards": "running_std"}),
            "--processes 2: normalization.rewards running_std needs every reward in order; use return_std or "
            "reward_std",
            id="processes_exclude_running_std",
        ),
        pytest.param(
            lambda root: train_in_processes(ppo={"diagnosed": True}),
            "--processes 2: ppo.diagnosed inspects the copies of one process; set it to false",
            id="processes_exclude_diagnosed",
        ),
        pytest.param(
            lambda root: train_with_workers(copies=1),
            "--ray-workers 2: there are 1 copies; use at most one worker for each",
            id="more_workers_than_copies",
        ),
        pytest.param(
            lambda root: train_with_workers(world="tidebreak", config={"seats": 2}, self_play={"scripts": ["hunter"]}),
            "--ray-workers 2: self_play.scripts has 'hunter', a bot whose memory stays in this process; leave it out",
            id="workers_exclude_bots",
        ),
        pytest.param(
            lambda root: train_with_workers(ppo={"teacher_share": 0.5}),
            "--ray-workers 2: ppo.teacher_share needs copies in this process; set it to 0",
            id="workers_exclude_teacher_share",
        ),
        pytest.param(
            lambda root: train_with_workers(backend="random"),
            "--ray-workers 2: the backend random learns nothing; use ppo",
            id="distributed_needs_ppo",
        ),
        pytest.param(
            lambda root: train_in_processes(execution={"pipeline": True}),
            "--processes 2 cannot be combined with the pipeline of a GPU; add --set execution.pipeline=false, or "
            "leave --processes 2 out",
            id="distributed_excludes_pipeline",
        ),
        pytest.param(
            lambda root: train_in_processes(replay={"dataset": "first"}),
            "--processes 2 cannot be combined with replay, which changes the copies of one process",
            id="distributed_excludes_section",
        ),
        pytest.param(
            lambda root: train_in_processes(world="townlet"),
            "--processes 2: 'townlet' replaces or inspects its copies, which must be in one process; leave "
            "--processes 2 out",
            id="world_needs_one_process",
        ),
        pytest.param(
            lambda root: train_with_workers(world="morphogenesis"),
            "--ray-workers 2: copies of 'morphogenesis' step together in one process; leave --ray-workers 2 out",
            id="world_needs_one_process-step_together",
        ),
        pytest.param(
            lambda root: ramp(updates=0),
            "test: optimizer.learning_rate.updates: 0 is wrong; use a whole number of updates, 1 or more",
            id="ramp_updates_invalid",
        ),
        pytest.param(
            lambda root: ramp(run_share=2),
            "test: optimizer.learning_rate.run_share: 2 is wrong; use a share of the run above 0, at most 1",
            id="ramp_share_invalid",
        ),
        pytest.param(
            lambda root: load_preset("prospector", "quik"),
            "no preset of 'prospector' is called 'quik' (did you mean 'quick'?); there are: default, imitate, "
            "long, quick, none, or the path of a .yaml file",
            id="unknown_preset",
        ),
        pytest.param(
            lambda root: read_preset(root, "extends: mine\n"),
            "ROOT/mine.yaml: extends is 'mine'; name another preset of 'prospector'",
            id="preset_base_invalid",
        ),
        pytest.param(
            lambda root: read_preset(root, "- 1\n- 2\n"),
            "ROOT/mine.yaml: holds a list; it must be a mapping of settings",
            id="preset_not_a_mapping",
        ),
        pytest.param(
            lambda root: start_from_stored(root, "mlp-16-tanh-v1"),
            "start: ROOT/mine/checkpoints/ckpt_000000.safetensors holds a 'mlp-8-tanh-v1' policy; set policy.arch"
            " to it, not 'mlp-16-tanh-v1'",
            id="start_has_another_architecture",
        ),
        pytest.param(
            lambda root: start_from_stored(root, "mlp-8-tanh-v1", observations=True),
            "start: ROOT/mine/checkpoints/ckpt_000000.safetensors was trained with another normalization; give "
            "the run the same normalization settings",
            id="start_has_another_normalization",
        ),
        pytest.param(
            lambda root: load_policy(store_policy(root, policy_settings={}), plan().spec),
            "ROOT/mine/checkpoints/ckpt_000000.safetensors: the settings of its policy are broken: it should be a"
            " mapping of names to values",
            id="policy_settings_invalid",
        ),
        pytest.param(
            lambda root: run_contender(RunLayout(root / RUN), open_venue("prospector", {}), deterministic=True),
            "run 'dice' played at random; there is no policy in it to evaluate",
            id="run_has_no_policy-to_evaluate",
        ),
        pytest.param(
            lambda root: export_policy(ExportRequest(run_root=root, run_id=RUN, decisions=1)),
            "run 'dice' played at random; there is no policy in it to export",
            id="run_has_no_policy-to_export",
        ),
        pytest.param(
            lambda root: check_new(root, RUN),
            "ROOT/dice exists already; choose another --run-id, or --resume dice",
            id="run_exists",
        ),
        pytest.param(
            lambda root: read_changed_settings(root),
            "ROOT/changed/config.json: copies: it should be greater than 0; it must be as the run wrote it",
            id="run_config_invalid",
        ),
        pytest.param(
            lambda root: target(root, 128, schedule_steps=64),
            "--steps 128 cannot be combined with --resume dice: the schedules of the run end at 64 env steps, and"
            " so must the run",
            id="steps_differ_from_schedule",
        ),
        pytest.param(
            lambda root: target(root, None),
            "run 'dice' has completed its 64 env steps; give --steps a larger number",
            id="run_is_complete",
        ),
        pytest.param(
            lambda root: resume_small(root, RUN, small_plan(backend="random", config={"time_max": 400.0})),
            "run 'dice' was trained in configuration HASH; the world now has HASH, in which the run cannot continue",
            id="world_config_changed",
        ),
        pytest.param(
            lambda root: load_of_a_trainer(),
            "the stored state is of another kind of run; resume it with the copies and the backend it had",
            id="stored_state_of_another_run",
        ),
        pytest.param(
            lambda root: load_without_course(),
            "the stored state is of a run without a course; resume it with the settings it was trained with",
            id="stored_course_missing",
        ),
        pytest.param(
            lambda root: load_without_rounds(root),
            "the stored state has no rounds; resume the run with the settings it was trained with",
            id="stored_rounds_missing",
        ),
        pytest.param(
            lambda root: miss_the_gate(root),
            "the clone does not pass its gate: accuracy is SHARE; at least 1 is required",
            id="clone_misses_gate",
        ),
        pytest.param(
            lambda root: continue_after_the_gate(root),
            "the schedule ended at a gate: accuracy is SHARE; at least 1 is required",
            id="schedule_ended_at_gate",
        ),
        pytest.param(
            lambda root: CloningRun(plan(), root, "new", progress=NoProgress(), clock=SystemClock()),
            "cloning.dataset is missing; name the dataset to clone",
            id="cloning_dataset_missing",
        ),
        pytest.param(
            lambda root: OfflineRun(plan(), root, "new", progress=NoProgress(), clock=SystemClock()),
            "replay.dataset is missing; name the dataset to learn from",
            id="replay_dataset_missing",
        ),
        pytest.param(
            lambda root: lose_the_launcher(),
            "the process that started this run has ended",
            id="launcher_ended",
        ),
    ],
)
def test_messages_are_worded_like_this(
    root: Path, cause: Callable[[Path], object], message: str, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(DioramaError) as caught:
        cause(root)

    # What differs from machine to machine is named instead.
    worded = SHARE.sub("SHARE", HASH.sub("HASH", str(caught.value).replace(str(root), "ROOT")))
    assert worded == message
    assert caught.value.code == request.node.callspec.id.partition("-")[0]
