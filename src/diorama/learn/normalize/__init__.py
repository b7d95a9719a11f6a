"""Running statistics that bring observations, rewards and values to scale."""

from diorama.learn.normalize.observations import ObservationNormalizer
from diorama.learn.normalize.rewards import RewardScaler
from diorama.learn.normalize.values import ValueScale

__all__ = ["ObservationNormalizer", "RewardScaler", "ValueScale"]
