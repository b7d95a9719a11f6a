"""`python -m diorama.training.validation_worker`: judges checkpoints in a process of its own, one job per line."""

from pathlib import Path

import torch

from diorama.engine.venue import open_venue
from diorama.learn.evaluation.episodes import SilentProgress
from diorama.learn.evaluation.policy_player import policy_contender
from diorama.learn.evaluation.scores import ScoreRule, score_episodes
from diorama.runs.layout import RunLayout
from diorama.training.callbacks.validation import ValidationAnswer, ValidationJob
from diorama.training.job_process import serve_jobs
from diorama.training.policy_files import load_policy


def judge(job: ValidationJob) -> ValidationAnswer:
    """Play the validation seeds with the policy of a checkpoint."""
    layout = RunLayout(Path(job.run_directory))
    venue = open_venue(job.world, job.config, tier=job.tier, threads=1)
    policy, _ = load_policy(layout.resolve(job.checkpoint_path), venue.spec, sha256=job.sha256)
    scores = score_episodes(
        venue,
        policy_contender(layout.run_id, policy, deterministic=job.deterministic),
        ScoreRule(metric=job.metric, scripts=tuple(job.scripts)),
        job.seeds,
        max_decisions=venue.world.evaluation.max_decisions,
        progress=SilentProgress(),
    )
    return ValidationAnswer(window_id=job.window_id, scores=scores.tolist())


def main() -> None:
    """Serve the process that started this one."""
    torch.set_num_threads(1)
    serve_jobs(ValidationJob, ValidationAnswer, judge)


if __name__ == "__main__":
    main()
