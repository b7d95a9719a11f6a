"""Start states on a device: golden slots of the lanes, and what is seen in each of them."""

import numpy as np
import torch

from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.envs.layout import RAM_V3_WIDTH, Layout
from diorama.worlds.gameboy.envs.screen import Screen
from diorama.worlds.gameboy.envs.starts import make_starts
from diorama.worlds.gameboy.lanes import Lanes


class DeviceStarts:
    """Captures every start state into its golden slot.

    Attributes:
        noops: How many different numbers of NOOP steps a start is kept after.
        starts: How many different starts there are.
        pictures: Observed picture of each slot, uint8.
        watched: Watched bytes of each slot, uint8.
        ram_v3: Numbers of format `ram_v3` of each slot; no columns where they are not observed.
    """

    def __init__(self, config: GameboyConfig, lanes: Lanes, layout: Layout, device: torch.device) -> None:
        """Put lane 0 into every state and keep it."""
        made = make_starts(config)
        self.noops, self.starts = made.noops, made.starts
        watched = np.zeros((len(made.states), len(layout.addresses)), np.uint8)
        ram_v3 = np.zeros((len(made.states), RAM_V3_WIDTH if layout.ram_v3 else 0), np.float32)
        every_watched = np.zeros((lanes.lanes, watched.shape[1]), np.uint8)
        every_ram_v3 = np.zeros((lanes.lanes, ram_v3.shape[1]), np.float32)
        for slot, start in enumerate(made.states):
            lanes.restore(0, start.savestate)
            lanes.capture(0, slot)
            lanes.observe(
                watch=every_watched if every_watched.size else None, ram_v3=every_ram_v3 if every_ram_v3.size else None
            )
            watched[slot], ram_v3[slot] = every_watched[0], every_ram_v3[0]
        shown = np.stack([start.picture for start in made.states])
        observed = Screen(lanes.lanes, config.observation).observed(shown)
        self.pictures = torch.from_numpy(np.ascontiguousarray(observed)).to(device)
        self.watched = torch.from_numpy(watched).to(device)
        self.ram_v3 = torch.from_numpy(ram_v3).to(device)
