"""The families and modes of the reward."""

from enum import Enum


class RewardFamily(Enum):
    """What the reward is made from."""

    CONTRIBUTION = "contribution"
    LOSS = "loss"


class RewardMode(Enum):
    """How the contribution family pays."""

    SHAPED = "shaped"
    ESCROW = "escrow"
    BASIC = "basic"
    BASIC_PLUS = "basic_plus"
    SPARSE = "sparse"
    MINIMAL = "minimal"
    SIMPLIFIED = "simplified"
