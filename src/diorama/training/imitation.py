"""What a run begins from: demonstrations of a bot, a dataset, or the policy of another run."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.engine.seeding import as_seed
from diorama.learn.imitation.cloning import CloningReport
from diorama.learn.imitation.datasets import open_dataset, read_episodes
from diorama.learn.imitation.demonstrations import (
    ActionNoise,
    Demonstrations,
    demonstrations_from_episodes,
    demonstrations_from_recording,
    record_demonstrations,
    split_holdout,
)
from diorama.learn.imitation.offline_buffer import OfflineBuffer
from diorama.learn.imitation.recording import Recording
from diorama.learn.imitation.stopping import StopCheck, never_stop
from diorama.learn.imitation.validation import Agreement
from diorama.learn.policies.policy import Policy, build_policy
from diorama.learn.settings import CloningSettings
from diorama.rng import mix64
from diorama.training.plan import TrainingPlan
from diorama.training.policy_files import find_policy, load_policy
from diorama.training.start_states import open_start_replays
from diorama.training.teachers import bot_teacher, open_teacher


@dataclass(frozen=True, slots=True, kw_only=True)
class DemonstrationSplit:
    """Demonstrations to learn from, and others that a clone is judged by."""

    train: Demonstrations
    held_out: Demonstrations


@dataclass(frozen=True, slots=True, kw_only=True)
class CloningResult:
    """How cloning went, and how the clone agrees with held-out demonstrations, if there are any."""

    report: CloningReport
    agreement: Agreement | None

    def summary(self, teacher: str) -> str:
        """Return it as one line."""
        line = (
            f"imitated {self.report.decisions:,} decisions of {teacher}: "
            f"the policy's first choice is the teacher's in {self.report.accuracy:.0%}"
        )
        return line if self.agreement is None else f"{line}, in {self.agreement.accuracy:.1%} of those held out"


def check_starting_point(plan: TrainingPlan) -> None:
    """Refuse a start, a teacher or a dataset that a new run cannot begin from, before anything is written.

    Raises:
        UnknownName: There is no such run, checkpoint, dataset or replay.
        DocumentError: It is broken, was changed, or belongs to another world or layout.
        ConfigError: It does not fit the settings.
    """
    settings = plan.settings
    if settings.start is not None:
        load_weights(build_policy(plan.spec, settings.trainer, seed=0), plan, settings.start)
    if settings.starts is not None:
        open_start_replays(plan, settings.starts)
    if settings.kickstarting is not None:
        open_teacher(plan.venue.world, plan.spec, settings.kickstarting.teacher)
    for section in (settings.cloning, settings.replay):
        if section is not None and section.dataset is not None:
            open_dataset(Path(section.dataset), plan.spec)


def read_demonstrations(
    plan: TrainingPlan, cloning: CloningSettings, dataset: str, policy: Policy, *, check_stop: StopCheck
) -> DemonstrationSplit:
    """Read a dataset and hold some of it out; `check_stop` is called before every episode.

    Raises:
        UnknownName: There is no such dataset.
        DocumentError: It is broken, was changed, or belongs to another world or layout.
    """
    folder, settings = Path(dataset), plan.settings
    manifest = open_dataset(folder, plan.spec)
    ppo = settings.ppo
    length = ppo.sequence_length or ppo.rollout_steps
    stored = []
    for episode in read_episodes(folder, manifest):
        check_stop()
        stored.append(episode)
    train, held_out = (
        demonstrations_from_episodes(
            episodes, plan.spec, policy, sequence_length=length, gamma=ppo.gamma, per_tick=ppo.is_per_tick
        )
        for episodes in split_holdout(stored, cloning.holdout, seed=settings.seed)
    )
    return DemonstrationSplit(train=train, held_out=held_out)


def read_offline_buffer(plan: TrainingPlan, dataset: str) -> OfflineBuffer:
    """Return all episodes of a dataset, for PPO to learn from.

    Raises:
        UnknownName: There is no such dataset.
        DocumentError: It is broken, was changed, or belongs to another world or layout.
        ConfigError: The settings cannot be combined with stored episodes.
    """
    folder, settings = Path(dataset), plan.settings
    manifest = open_dataset(folder, plan.spec)
    return OfflineBuffer([*read_episodes(folder, manifest)], plan.spec, settings.trainer, seed=as_seed(settings.seed))


def load_weights(policy: Policy, plan: TrainingPlan, start: str) -> None:
    """Copy the weights of a run's best or newest checkpoint, of a checkpoint or of a champion into a policy.

    Raises:
        UnknownName: There is no such run or checkpoint.
        CheckpointMismatch: It belongs to another world or interface.
        ConfigError: Its architecture or normalization is not that of the settings.
    """
    stored, _ = load_policy(find_policy(start), plan.spec)
    if stored.arch != policy.arch:
        raise ConfigError(
            f"start: {start} holds a {stored.arch!r} policy; set policy.arch to it, not {policy.arch!r}",
            code="start_has_another_architecture",
            start=start,
            arch=stored.arch,
        )
    if stored.state_dict().keys() != policy.state_dict().keys():
        raise ConfigError(
            f"start: {start} was trained with another normalization; give the run the same normalization settings",
            code="start_has_another_normalization",
            start=start,
        )
    policy.load_state_dict(stored.state_dict())


class BotDemonstrator:
    """Records demonstrations of a bot, round after round, as DAgger does."""

    def __init__(self, plan: TrainingPlan, cloning: CloningSettings, name: str, configs: Sequence[WorldConfig]) -> None:
        """Record nothing yet.

        Args:
            plan: Of the run.
            cloning: How much is recorded.
            name: Of the bot.
            configs: Configurations the bot plays in, with an equal share of the copies each.
        """
        self._plan = plan
        self._cloning = cloning
        self._name = name
        self._configs = configs
        self._recordings: list[Recording] = []

    def demonstrate(self, policy: Policy, check_stop: StopCheck = never_stop) -> Demonstrations:
        """Record one more round and return all rounds; from the second on the policy acts and the bot labels."""
        settings, cloning, world = self._plan.settings, self._cloning, self._plan.venue.world
        turn, sequence_length = len(self._recordings), settings.ppo.sequence_length or settings.ppo.rollout_steps
        length = sequence_length if policy.memory_width else 1
        seed, noise = mix64(settings.seed + turn), cloning.disturbance
        self._recordings.append(
            record_demonstrations(
                self._batches(seed),
                bot_teacher(world, self._name),
                policy,
                decisions=cloning.decisions,
                length=length,
                action_noise=None if noise is None else ActionNoise(noise, self._plan.spec, seed=seed),
                policy_acts=turn > 0,
                check_stop=check_stop,
            )
        )
        return demonstrations_from_recording(
            Recording.concatenate(self._recordings),
            policy,
            length=length,
            gamma=settings.ppo.gamma,
            max_tail_weight=cloning.value_tail,
            per_tick=settings.ppo.is_per_tick,
        )

    def _batches(self, seed: int) -> list[Batch]:
        return [
            make_batch(
                self._plan.venue.world,
                copies=max(1, self._cloning.copies // len(self._configs)),
                config=config,
                # Not the episodes that training begins with.
                seed=seed,
                tier=self._plan.settings.tier,
            )
            for config in self._configs
        ]
