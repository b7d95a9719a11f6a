"""`python -m diorama.training.replay_worker`: records replays in a process of its own, one job per line."""

from pathlib import Path

from diorama.engine.players import Contender
from diorama.engine.venue import Venue, open_venue
from diorama.runs.clock import Clock, SystemClock
from diorama.runs.layout import RunLayout
from diorama.runs.metadata import TrainerBackend
from diorama.runs.replays.best_episode import GivenActions, best_episode
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.recording import RecordingPlan
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.training.callbacks.replays import ReplayAnswer, ReplayJob
from diorama.training.job_process import serve_jobs
from diorama.training.random_play import random_contender


def record(job: ReplayJob, clock: Clock) -> ReplayEntry:
    """Record the best of a job's episodes, played by the policy of its checkpoint."""
    layout = RunLayout(Path(job.run_directory))
    venue = open_venue(job.world, job.config, tier=job.tier, threads=1)
    contender = _contender(layout, venue, job)
    best = best_episode(venue, contender, job.seeds, max_steps=job.max_steps)
    facts = PlayerFacts(
        kind=PlayerKind.CHECKPOINT,
        name=contender.name,
        checkpoint_path=job.checkpoint_path,
        sha256=job.sha256,
        deterministic=job.deterministic,
    )
    plan = RecordingPlan(
        window_id=job.window_id,
        trainer_backend=job.trainer_backend,
        players=(facts,) * venue.spec.agents,
        checkpoint_env_steps_total=job.env_steps_total,
        max_steps=job.max_steps,
        include_info=job.include_info,
        milestones=job.milestones,
    )
    return record_episode(layout, venue, GivenActions(best.actions), best.seed, plan, clock=clock)


def _contender(layout: RunLayout, venue: Venue, job: ReplayJob) -> Contender:
    name = f"{layout.run_id} window {job.window_id}"
    if job.trainer_backend == TrainerBackend.RANDOM.value:
        return random_contender(name)
    import torch

    from diorama.learn.evaluation.policy_player import policy_contender
    from diorama.training.policy_files import load_policy

    torch.set_num_threads(1)
    policy, _ = load_policy(layout.resolve(job.checkpoint_path), venue.spec, sha256=job.sha256)
    return policy_contender(name, policy, deterministic=job.deterministic)


def main() -> None:
    """Serve the process that started this one."""
    clock = SystemClock()

    def answer(job: ReplayJob) -> ReplayAnswer:
        return ReplayAnswer(window_id=job.window_id, entry=record(job, clock).to_json())

    serve_jobs(ReplayJob, ReplayAnswer, answer)


if __name__ == "__main__":
    main()
