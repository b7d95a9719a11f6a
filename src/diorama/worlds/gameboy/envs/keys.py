"""Which keys an environment lets through: what the mask says of each action, and what it presses."""

import numpy as np

from diorama.contracts.values import I32, U8
from diorama.worlds.gameboy.codec import get_action_codec
from diorama.worlds.gameboy.config import GameboyConfig


def key_mask(config: GameboyConfig) -> U8:
    """One byte for each action: 1 where it may be taken."""
    names = get_action_codec(config.action_codec_id).action_names
    return np.array([not config.keys or name in config.keys for name in names], np.uint8)


def pressed_by(config: GameboyConfig) -> I32:
    """For each action the one that is pressed: itself, or NOOP where the mask is 0."""
    names = get_action_codec(config.action_codec_id).action_names
    return np.where(key_mask(config) != 0, np.arange(len(names)), names.index("NOOP")).astype(np.int32)
