"""The modes of the reward."""

from enum import Enum


class RewardMode(Enum):
    """How the contribution family pays."""

    SHAPED = "shaped"
    ESCROW = "escrow"
    BASIC = "basic"
    BASIC_PLUS = "basic_plus"
    SPARSE = "sparse"
    MINIMAL = "minimal"
    SIMPLIFIED = "simplified"
