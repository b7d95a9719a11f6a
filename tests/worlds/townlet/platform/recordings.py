"""How episodes of a town are recorded here."""

from diorama.runs.replays.recording import RecordingPlan
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind

PLAN = RecordingPlan(
    window_id=0,
    trainer_backend="random",
    players=(PlayerFacts(kind=PlayerKind.BOT, name="scripted", deterministic=True),) * 16,
    checkpoint_env_steps_total=None,
    max_steps=16,
    include_info=True,
    milestones={},
)
