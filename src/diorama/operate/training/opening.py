"""How a run comes to be: created, continued from its newest checkpoint, or begun again where it had none yet."""

from pathlib import Path

from pydantic import ValidationError

from diorama.contracts.errors import ConfigError, DocumentError, RunConflict, UnknownName
from diorama.contracts.stored_config import parse_stored_config
from diorama.contracts.validation import first_problem
from diorama.engine.batch import Batch
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.settings import TrainingSettings
from diorama.runs.checkpoints.files import checkpoint_paths, read_checkpoint_header
from diorama.runs.checkpoints.resume import ResumePoint
from diorama.runs.clock import Clock, timestamp
from diorama.runs.documents import replace_document
from diorama.runs.layout import RunLayout, run_layout
from diorama.runs.locks import DirectoryLock
from diorama.runs.metadata import RunMetadata, RunStatus
from diorama.runs.run import Run, open_run
from diorama.runs.writer import RunWriter, continue_run, create_run
from diorama.storage.atomic_files import remove_unfinished
from diorama.worlds.registry import load_world


def check_new(runs_root: Path, run_id: str) -> RunLayout:
    """Return where a new run will lie.

    Raises:
        ConfigError: The id is not allowed.
        RunConflict: There is a run of that id.
    """
    layout = run_layout(runs_root, run_id)
    if layout.directory.exists():
        raise RunConflict(f"{layout.directory} exists already; choose another --run-id, or --resume {run_id}")
    return layout


def stored_settings(run: Run) -> TrainingSettings:
    """Return the settings a run was started with.

    Raises:
        UnknownName: The run has no configuration.
        DocumentError: It is none of ours.
        ConfigError: It names a module that is not allowed.
    """
    try:
        settings = TrainingSettings.model_validate(run.config())
    except ValidationError as error:
        raise DocumentError(f"{run.layout.config}: {first_problem(error)}; it must be as the run wrote it") from None
    parse_stored_config(load_world(settings.world), settings.config, str(run.layout.config))
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
            f"--steps {target} does not go with --resume {run.run_id}: its schedules run over "
            f"{settings.schedule_steps} env steps, and so must the run"
        )
    if metadata.status is RunStatus.COMPLETED and target <= metadata.env_steps_total:
        raise ConfigError(
            f"run {run.run_id!r} has completed its {metadata.env_steps_total} env steps; give --steps a larger number"
        )
    return target


def create(runs_root: Path, run_id: str, plan: TrainingPlan, batch: Batch, clock: Clock) -> RunWriter:
    """Create the directory of a run."""
    metadata = new_metadata(run_id, plan, batch, clock)
    return create_run(runs_root, metadata, plan.settings.model_dump(mode="json"), clock)


def take_over(
    runs_root: Path, run_id: str, plan: TrainingPlan, batch: Batch, clock: Clock
) -> tuple[RunWriter, ResumePoint | None]:
    """Take over a run that ended or was killed; without a checkpoint it begins again, and comes out the same.

    Raises:
        RunConflict: Another process is writing it.
        DocumentError: A file of it is broken, or the world has changed since.
    """
    layout = open_run(runs_root, run_id).layout
    try:
        writer, point = continue_run(runs_root, run_id, clock)
    except UnknownName:
        return _begin_again(layout, new_metadata(run_id, plan, batch, clock), clock), None
    try:
        if point.header.config_hash != plan.venue.config_hash:
            raise DocumentError(
                f"run {run_id!r} was made under configuration {point.header.config_hash[:12]}; "
                f"the world now gives {plan.venue.config_hash[:12]}, and the run cannot go on in it"
            )
        _forget_checkpoints_after(layout, point.header.window_id)
    except BaseException:
        writer.close()
        raise
    return writer, point


def new_metadata(run_id: str, plan: TrainingPlan, batch: Batch, clock: Clock) -> RunMetadata:
    """Return what a run says about itself before its first step."""
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


def _begin_again(layout: RunLayout, metadata: RunMetadata, clock: Clock) -> RunWriter:
    lock = DirectoryLock(layout.directory)
    try:
        for directory in (layout.directory, layout.windows.parent, layout.checkpoints):
            remove_unfinished(directory)
        for leftover in (layout.windows, *checkpoint_paths(layout)):
            leftover.unlink(missing_ok=True)
        replace_document(layout.metadata, metadata)
        return RunWriter(layout, lock, metadata, clock)
    except BaseException:
        lock.release()
        raise


def _forget_checkpoints_after(layout: RunLayout, window_id: int) -> None:
    # A process killed between a checkpoint and its resume file leaves one that will be written again.
    for path in checkpoint_paths(layout):
        if read_checkpoint_header(path).window_id > window_id:
            path.unlink()
