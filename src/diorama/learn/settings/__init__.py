"""Settings of training: strict models with bounds, defaults and a description for every field."""

from diorama.learn.settings.execution import ExecutionSettings
from diorama.learn.settings.imitation import CloningSettings, KickstartingSettings
from diorama.learn.settings.policy import AuxiliarySettings, HeadSettings, PolicySettings
from diorama.learn.settings.ppo import PpoSettings, VtraceSettings
from diorama.learn.settings.schedules import Ramp, Scheduled, value_at
from diorama.learn.settings.trainer import NormalizationSettings, OptimizerSettings, TrainerSettings

__all__ = [
    "AuxiliarySettings",
    "CloningSettings",
    "ExecutionSettings",
    "HeadSettings",
    "KickstartingSettings",
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
