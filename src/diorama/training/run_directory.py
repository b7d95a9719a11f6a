"""The directory of a run: created, continued from its newest checkpoint, or started over where it has none."""

from pathlib import Path
from typing import Final

from pydantic import ValidationError

from diorama.contracts.errors import ConfigError, DocumentError, RunConflict, UnknownName
from diorama.contracts.foreign_config import EVERY_FILE, FileAccess, parse_foreign_config
from diorama.contracts.validation import first_problem
from diorama.engine.batch import Batch
from diorama.runs.checkpoints.files import checkpoint_paths, read_checkpoint_header
from diorama.runs.checkpoints.headers import check_shapes
from diorama.runs.checkpoints.resume import ResumePoint, newest_model_shapes
from diorama.runs.clock import Clock, timestamp
from diorama.runs.documents import replace_document
from diorama.runs.layout import RunLayout, run_layout
from diorama.runs.locks import DirectoryLock
from diorama.runs.metadata import RunMetadata, RunStatus
from diorama.runs.run import Run, open_run
from diorama.runs.writer import RunWriter, continue_run, create_run
from diorama.storage.atomic_files import remove_unfinished
from diorama.telemetry.events import RunStarted
from diorama.telemetry.jsonl_sink import EVENTS_FILE, JsonlSink
from diorama.telemetry.ppo.ndjson_sink import PpoNdjsonSink
from diorama.telemetry.sinks import Sink
from diorama.telemetry.tensorboard_sink import TensorboardSink
from diorama.telemetry.wandb_sink import WandbMode, WandbSettings, WandbSink
from diorama.training.plan import TrainingPlan
from diorama.training.policy_files import blank_policy
from diorama.training.settings import TelemetrySettings, TrainingSettings
from diorama.worlds.registry import load_world

_PPO_FILE: Final = "ppo.ndjson"
_TENSORBOARD: Final = "tensorboard"


def check_new(runs_root: Path, run_id: str) -> RunLayout:
    """Return the layout of a new run.

    Raises:
        ConfigError: The id is not allowed.
        RunConflict: There is a run of that id.
    """
    layout = run_layout(runs_root, run_id)
    if layout.directory.exists():
        raise RunConflict(
            f"{layout.directory} exists already; choose another --run-id, or --resume {run_id}",
            code="run_exists",
            directory=layout.directory,
            run_id=run_id,
        )
    return layout


def stored_settings(run: Run, *, files: FileAccess = EVERY_FILE) -> TrainingSettings:
    """Return the settings a run was started with.

    Raises:
        UnknownName: The run has no configuration.
        DocumentError: It is no configuration of a run.
        ConfigError: It names a module or a file that is not allowed.
    """
    try:
        settings = TrainingSettings.model_validate(run.config())
    except ValidationError as error:
        raise DocumentError(
            f"{run.layout.config}: {first_problem(error)}; it must be as the run wrote it",
            code="run_config_invalid",
            path=run.layout.config,
        ) from None
    parse_foreign_config(load_world(settings.world), settings.config, str(run.layout.config), files=files)
    return settings


def check_target(run: Run, settings: TrainingSettings, steps: int | None) -> int:
    """Return how many env steps a resumed run is to reach.

    Raises:
        ConfigError: It has them already, or its schedules are made for another number.
    """
    metadata = run.metadata()
    target = metadata.target_env_steps if steps is None else steps
    if settings.schedule_steps is not None and target != settings.schedule_steps:
        raise ConfigError(
            f"--steps {target} cannot be combined with --resume {run.run_id}: the schedules of the run end at "
            f"{settings.schedule_steps} env steps, and so must the run",
            code="steps_differ_from_schedule",
            steps=target,
            schedule_steps=settings.schedule_steps,
        )
    if metadata.status is RunStatus.COMPLETED and target <= metadata.env_steps_total:
        raise ConfigError(
            f"run {run.run_id!r} has completed its {metadata.env_steps_total} env steps; give --steps a larger number",
            code="run_is_complete",
            run_id=run.run_id,
            env_steps_total=metadata.env_steps_total,
        )
    return target


def create(runs_root: Path, run_id: str, plan: TrainingPlan, batch: Batch, clock: Clock) -> RunWriter:
    """Create the directory of a run."""
    metadata = new_metadata(run_id, plan, batch, clock)
    return create_run(runs_root, metadata, plan.settings.model_dump(mode="json"), clock)


def reopen(
    runs_root: Path, run_id: str, plan: TrainingPlan, batch: Batch, clock: Clock
) -> tuple[RunWriter, ResumePoint | None]:
    """Continue a run that ended or was killed; one without a checkpoint starts over, and gives the same results.

    Raises:
        RunConflict: Another process is writing it.
        DocumentError: A file of it is broken, or the world has changed since.
    """
    layout = open_run(runs_root, run_id).layout
    try:
        writer, point = continue_run(runs_root, run_id, clock)
    except UnknownName:
        return _start_over(layout, new_metadata(run_id, plan, batch, clock), clock), None
    try:
        if point.header.config_hash != plan.venue.config_hash:
            raise DocumentError(
                f"run {run_id!r} was trained in configuration {point.header.config_hash[:12]}; "
                f"the world now has {plan.venue.config_hash[:12]}, in which the run cannot continue",
                code="world_config_changed",
                run_id=run_id,
                recorded=point.header.config_hash,
                found=plan.venue.config_hash,
            )
        _delete_checkpoints_after(layout, point.header.window_id)
    except BaseException:
        writer.close()
        raise
    return writer, point


def check_model_fits(layout: RunLayout, plan: TrainingPlan) -> None:
    """Compare what a run continues from with the network of its settings, before any network is built.

    Raises:
        CheckpointMismatch: Its tensors are not those of the network.
        DocumentError: Its file is broken.
    """
    found, trainer = newest_model_shapes(layout), plan.settings.trainer
    if found is not None:
        wanted = blank_policy(plan.spec, trainer.policy, trainer.normalization).state_dict()
        check_shapes(found, {name: tensor.shape for name, tensor in wanted.items()})


def new_metadata(run_id: str, plan: TrainingPlan, batch: Batch, clock: Clock) -> RunMetadata:
    """Return the metadata of a run before its first step."""
    settings, now = plan.settings, timestamp(clock.now())
    return RunMetadata(
        run_id=run_id,
        world=plan.spec.world,
        interface_version=plan.spec.interface_version,
        config_hash=plan.venue.config_hash,
        trainer_backend=settings.backend,
        seed=settings.seed,
        target_env_steps=settings.steps,
        window_env_steps=settings.windows.env_steps,
        info_metric_keys=plan.spec.metric_keys,
        tier_requested=settings.tier,
        tier_selected=batch.tier_selected.value,
        tier_fallback_reason=batch.tier_fallback_reason,
        device=settings.execution.device,
        copies=settings.copies,
        policy_arch=plan.policy_arch,
        started_at=now,
        updated_at=now,
    )


def _start_over(layout: RunLayout, metadata: RunMetadata, clock: Clock) -> RunWriter:
    lock = DirectoryLock(layout.directory)
    try:
        for directory in (layout.directory, layout.windows.parent, layout.checkpoints):
            remove_unfinished(directory)
        for leftover in (layout.windows, layout.validation, *checkpoint_paths(layout)):
            leftover.unlink(missing_ok=True)
        replace_document(layout.metadata, metadata)
        return RunWriter(layout, lock, metadata, clock)
    except BaseException:
        lock.release()
        raise


def _delete_checkpoints_after(layout: RunLayout, window_id: int) -> None:
    # A process killed between a checkpoint and its resume file leaves a checkpoint that will be written again.
    for path in checkpoint_paths(layout):
        if read_checkpoint_header(path).window_id > window_id:
            path.unlink()


def run_started(
    plan: TrainingPlan,
    metadata: RunMetadata,
    clock: Clock,
    *,
    target: int,
    agent_steps: int = 0,
    is_resumed: bool = False,
) -> RunStarted:
    """Return the first telemetry event of a run."""
    return RunStarted(
        at=timestamp(clock.now()),
        run_id=metadata.run_id,
        world=metadata.world,
        interface_version=metadata.interface_version,
        config_hash=metadata.config_hash,
        trainer_backend=metadata.trainer_backend.value,
        seed=metadata.seed,
        target_env_steps=target,
        window_env_steps=metadata.window_env_steps,
        copies=metadata.copies,
        device=metadata.device,
        tier_selected=metadata.tier_selected,
        policy_arch=metadata.policy_arch,
        is_resumed=is_resumed,
        env_steps_total=metadata.env_steps_total,
        ticks_total=metadata.ticks_total,
        agent_steps_total=agent_steps,
        config=plan.settings.model_dump(mode="json"),
    )


def make_sinks(settings: TelemetrySettings, layout: RunLayout, *, learns: bool) -> list[Sink]:
    """Return the telemetry sinks that the settings ask for; none writes before the run starts.

    Raises:
        MissingExtra: A library is not installed.
    """
    sinks: list[Sink] = []
    if settings.jsonl:
        sinks.append(JsonlSink(layout.telemetry / EVENTS_FILE))
    if settings.ppo_ndjson and learns:
        sinks.append(PpoNdjsonSink(layout.telemetry / _PPO_FILE))
    if settings.tensorboard:
        sinks.append(TensorboardSink(layout.telemetry / _TENSORBOARD))
    if settings.wandb_mode is not WandbMode.DISABLED:
        sinks.append(
            WandbSink(
                WandbSettings(mode=settings.wandb_mode, run_directory=layout.directory, project=settings.wandb_project)
            )
        )
    return sinks
