"""`HostLearning`: learns from a rollout where the copies live, when it is asked what came of it."""

from diorama.learn.normalize import RewardScaler
from diorama.learn.policies.policy import Policy
from diorama.learn.ppo.experience import Experience, appraise
from diorama.learn.ppo.statistics import UpdateStatistics
from diorama.learn.ppo.update import Companion, Moment, PpoUpdate
from diorama.learn.rollouts.rollout import Rollout
from diorama.learn.settings import TrainerSettings


class HostLearning:
    """Everything happens in `finish`; `begin` only says from what.

    Attributes:
        experience: What was learned from last.
    """

    experience: Experience

    def __init__(self, ppo: PpoUpdate, policy: Policy, settings: TrainerSettings, scaler: RewardScaler) -> None:
        """Take what learns, and what brings rewards to scale."""
        self._ppo = ppo
        self._policy = policy
        self._settings = settings
        self._scaler = scaler
        self._asked: tuple[Rollout, Moment, Companion | None]

    def begin(self, rollout: Rollout, moment: Moment, companion: Companion | None = None) -> None:
        """Say what to learn from."""
        self._asked = rollout, moment, companion

    def finish(self) -> UpdateStatistics:
        """Learn from it and return what happened.

        Raises:
            TrainingDiverged: Something is not a number.
        """
        rollout, moment, companion = self._asked
        self.experience = appraise_rollout(rollout, self._policy, self._settings, self._scaler)
        return self._ppo.learn(self.experience, moment, companion)


def appraise_rollout(rollout: Rollout, policy: Policy, settings: TrainerSettings, scaler: RewardScaler) -> Experience:
    """Compute advantages, returns and weights of a rollout; where values are scaled, the scale takes it in."""
    experience = appraise(rollout, policy.heads.plan, settings.ppo, scaler)
    scale_values(experience, policy, settings)
    return experience


def scale_values(experience: Experience, policy: Policy, settings: TrainerSettings) -> None:
    """Let the critic's scale take in the returns of an experience, where values are scaled."""
    if settings.normalization.values:
        known = experience.known
        policy.value_scale.update(known.returns, known.value_weights, policy.value_head)
