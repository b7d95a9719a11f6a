"""What is told when a run begins: to a person, and to its telemetry."""

from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.watching import Outlook
from diorama.runs.clock import Clock, timestamp
from diorama.runs.metadata import RunMetadata
from diorama.runs.writer import RunWriter
from diorama.telemetry.events import RunStarted


def outlook_of(plan: TrainingPlan, writer: RunWriter, env_steps: int, target: int) -> Outlook:
    """Return what a person is shown; `env_steps` are those the run has, `target` those it is to reach."""
    metadata, settings = writer.keeper.current, plan.settings
    return Outlook(
        layout=writer.layout,
        spec=plan.spec,
        env_steps=env_steps,
        target_env_steps=target,
        facts=(
            ("backend", settings.backend.value),
            ("policy", plan.policy_arch or "none"),
            ("copies", f"{settings.copies:,}"),
            ("tier", metadata.tier_selected),
            ("device", settings.execution.device),
            ("seed", str(settings.seed)),
        ),
    )


def start_of(
    plan: TrainingPlan, metadata: RunMetadata, clock: Clock, *, target: int, is_resumed: bool = False
) -> RunStarted:
    """Return the event a run begins with."""
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
        config=plan.settings.model_dump(mode="json"),
    )
