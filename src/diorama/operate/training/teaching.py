"""What a run begins from: a bot that plays, a dataset, or the policy of another run."""

from dataclasses import dataclass
from pathlib import Path

from diorama.contracts.errors import ConfigError
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.engine.seeding import as_seed
from diorama.learn.imitation.datasets import open_dataset, read_episodes
from diorama.learn.imitation.demonstrations import (
    Demonstrations,
    Disturbance,
    as_demonstrations,
    demonstrations_of,
    hold_out,
    record_bot,
)
from diorama.learn.imitation.offline_buffer import OfflineBuffer
from diorama.learn.imitation.recording import Recording
from diorama.learn.policies.policy import Policy, build_policy
from diorama.learn.settings import CloningSettings
from diorama.operate.training.match_desk import SelfPlayCallback
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.policy_files import load_policy
from diorama.rng import mix64
from diorama.runs.checkpoints.files import newest_checkpoint
from diorama.runs.layout import RunLayout


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What is imitated, and what a clone is judged by."""

    shown: Demonstrations
    held_out: Demonstrations


def check_beginning(plan: TrainingPlan) -> None:
    """Refuse a start or a dataset that a new run cannot begin from, before anything is written.

    Raises:
        UnknownName: There is no such run, checkpoint or dataset.
        DocumentError: It is broken, was changed, or belongs to another world or layout.
        ConfigError: It does not fit the settings.
    """
    settings = plan.settings
    if settings.start is not None:
        take_over_weights(build_policy(plan.spec, settings.trainer, seed=0), plan, settings.start)
    for lesson in (settings.cloning, settings.replay):
        if lesson is not None and lesson.dataset is not None:
            open_dataset(Path(lesson.dataset), plan.spec)


def read_lesson(plan: TrainingPlan, cloning: CloningSettings, dataset: str, policy: Policy) -> Lesson:
    """Read a dataset and hold some of it out.

    Raises:
        UnknownName: There is no such dataset.
        DocumentError: It is broken, was changed, or belongs to another world or layout.
    """
    folder, settings = Path(dataset), plan.settings
    manifest = open_dataset(folder, plan.spec)
    learned, held_out = hold_out([*read_episodes(folder, manifest)], cloning.holdout, seed=settings.seed)
    length = settings.ppo.sequence_length or settings.ppo.rollout_steps
    return Lesson(
        shown=demonstrations_of(learned, plan.spec, policy, sequence_length=length, gamma=settings.ppo.gamma),
        held_out=demonstrations_of(held_out, plan.spec, policy, sequence_length=length, gamma=settings.ppo.gamma),
    )


def read_book(plan: TrainingPlan, dataset: str) -> OfflineBuffer:
    """Return all episodes of a dataset, to be learned from by PPO.

    Raises:
        UnknownName: There is no such dataset.
        DocumentError: It is broken, was changed, or belongs to another world or layout.
        ConfigError: The settings do not go with stored episodes.
    """
    folder, settings = Path(dataset), plan.settings
    manifest = open_dataset(folder, plan.spec)
    return OfflineBuffer([*read_episodes(folder, manifest)], plan.spec, settings.trainer, seed=as_seed(settings.seed))


def take_over_weights(policy: Policy, plan: TrainingPlan, start: str) -> None:
    """Give a policy the weights of another: of a run's newest checkpoint, or of a checkpoint.

    Raises:
        UnknownName: There is no such run or checkpoint.
        CheckpointMismatch: It belongs to another world or interface.
        ConfigError: Its architecture or normalization is not that of the settings.
    """
    path = Path(start)
    stored, _ = load_policy(newest_checkpoint(RunLayout(path)) if path.is_dir() else path, plan.spec)
    if stored.arch != policy.arch:
        raise ConfigError(f"start: {start} holds a {stored.arch!r} policy; set policy.arch to it, not {policy.arch!r}")
    if stored.state_dict().keys() != policy.state_dict().keys():
        raise ConfigError(f"start: {start} was normalized otherwise; give the run the same normalization settings")
    policy.load_state_dict(stored.state_dict())


class AskedBot:
    """A bot that can be asked again and again; what it has shown adds up."""

    def __init__(self, plan: TrainingPlan, cloning: CloningSettings, name: str, desk: SelfPlayCallback | None) -> None:
        """Begin with nothing shown."""
        self._plan = plan
        self._cloning = cloning
        self._name = name
        self._desk = desk
        self._recordings: list[Recording] = []

    def show(self, policy: Policy) -> Demonstrations:
        """Let it play, or from the second time on the policy, and return everything it has shown so far."""
        settings, cloning, world = self._plan.settings, self._cloning, self._plan.venue.world
        turn, trained_through = len(self._recordings), settings.ppo.sequence_length or settings.ppo.rollout_steps
        length = trained_through if policy.memory_width else 1
        seed, pushes = mix64(settings.seed + turn), cloning.disturbance
        self._recordings.append(
            record_bot(
                self._batches(seed),
                None if self._name == world.advisor else world.bots[self._name],
                policy,
                decisions=cloning.decisions,
                length=length,
                disturbance=None if pushes is None else Disturbance(pushes, self._plan.spec, seed=seed),
                is_led=turn > 0,
            )
        )
        everything = Recording.joined(self._recordings)
        return as_demonstrations(
            everything, policy, length=length, gamma=settings.ppo.gamma, most_missing=cloning.value_tail
        )

    def _batches(self, seed: int) -> list[Batch]:
        venue = self._plan.venue
        configs = [venue.config] if self._desk is None else self._desk.demonstrated_configs()
        return [
            make_batch(
                venue.world,
                copies=max(1, self._cloning.copies // len(configs)),
                config=config,
                # Episodes that the policy will not meet again as its first ones.
                seed=seed,
                tier=self._plan.settings.tier,
            )
            for config in configs
        ]
