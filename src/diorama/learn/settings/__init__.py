"""Everything that can be set about training: strict models with bounds, defaults and a sentence for every field."""

from diorama.learn.settings.cloning import CloningSettings
from diorama.learn.settings.execution import ExecutionSettings
from diorama.learn.settings.normalization import NormalizationSettings
from diorama.learn.settings.policy import AuxiliarySettings, HeadSettings, PolicySettings
from diorama.learn.settings.ppo import PpoSettings, VtraceSettings
from diorama.learn.settings.schedules import Ramp, Scheduled, value_at
from diorama.learn.settings.trainer import OptimizerSettings, TrainerSettings

__all__ = [
    "AuxiliarySettings",
    "CloningSettings",
    "ExecutionSettings",
    "HeadSettings",
    "NormalizationSettings",
    "OptimizerSettings",
    "PolicySettings",
    "PpoSettings",
    "Ramp",
    "Scheduled",
    "TrainerSettings",
    "VtraceSettings",
    "value_at",
]
