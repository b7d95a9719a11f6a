"""Lanes with tensors in and out: those of a device, or host lanes whose arrays are shown without copies."""

from typing import Final

import numpy as np
import torch

from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.envs.layout import RAM_V3_WIDTH, layout_of
from diorama.worlds.gameboy.envs.screen import PICTURE_SHAPES
from diorama.worlds.gameboy.envs.starts import rom_of
from diorama.worlds.gameboy.lanes import DeviceLanes, Lanes, open_device_lanes, open_lanes

_WITH_TENSORS: Final = ("warp_cpu", "warp_cuda")


class TensorLanes:
    """Wraps lanes; every call this class does not have goes to them (`host`)."""

    def __init__(self, lanes: Lanes, watched: int, *, ram_v3: bool) -> None:
        """Share memory with the lanes."""
        self.host = lanes
        self.device = torch.device("cpu")
        self._pictures = np.zeros((lanes.lanes, *lanes.picture_shape), np.uint8)
        self._watched = np.zeros((lanes.lanes, watched), np.uint8)
        self._ram_v3 = np.zeros((lanes.lanes, RAM_V3_WIDTH if ram_v3 else 0), np.float32)
        self._traps = np.zeros(lanes.lanes, np.int32)
        self.picture_tensor = torch.from_numpy(self._pictures)
        self.watch_tensor = torch.from_numpy(self._watched)
        self.ram_v3_tensor = torch.from_numpy(self._ram_v3)
        self.trap_tensor = torch.from_numpy(self._traps)

    def step_tensor(self, actions: torch.Tensor, frames_per_step: int, release_after_frames: int) -> None:
        """Advance every lane by one step."""
        self.host.step(actions.numpy(), frames_per_step, release_after_frames)
        self._look()

    def restore_golden_tensor(self, mask: torch.Tensor, slots: torch.Tensor) -> None:
        """Put the lanes of the mask into their golden slots."""
        self.host.restore_golden(mask.numpy(), slots.numpy())
        self._look()

    def _look(self) -> None:
        self.host.observe(
            picture=self._pictures if self._pictures.size else None,
            watch=self._watched if self._watched.size else None,
            ram_v3=self._ram_v3 if self._ram_v3.size else None,
        )
        self._traps[:] = self.host.field("trap_kind")


TensorFace = TensorLanes | DeviceLanes


def host_of(lanes: TensorFace) -> Lanes:
    """The lanes themselves, for calls about one lane."""
    return lanes.host if isinstance(lanes, TensorLanes) else lanes


def open_tensor_lanes(
    config: GameboyConfig, lanes: int, *, backend: str, device: str = "cuda:0", threads: int = 1
) -> TensorFace:
    """Switch consoles on that watch and draw what a configuration asks for; arguments as of `open_lanes`.

    Raises:
        TierUnavailable: If the backend cannot run here.
    """
    layout, rom = layout_of(config), rom_of(config).data
    picture = config.observation.value if config.observation in PICTURE_SHAPES else "none"
    if backend in _WITH_TENSORS:
        return open_device_lanes(
            backend,
            rom,
            lanes,
            boot=config.boot,
            picture=picture,
            watch=layout.addresses,
            allow_bad_checksum=config.allow_bad_checksum,
            device=device,
        )
    host = open_lanes(
        backend,
        rom,
        lanes,
        threads=threads,
        boot=config.boot,
        picture=picture,
        watch=layout.addresses,
        allow_bad_checksum=config.allow_bad_checksum,
    )
    return TensorLanes(host, len(layout.addresses), ram_v3=layout.ram_v3)


def check_actions(actions: torch.Tensor, lanes: int, device: torch.device) -> None:
    """Refuse actions that the lanes could not take as they are.

    Raises:
        TypeError: If they are no int32 tensor.
        ValueError: If shape, memory or device are wrong; it says what would be right.
    """
    if not isinstance(actions, torch.Tensor):
        raise TypeError(f"actions are a {type(actions).__name__}; they must be a torch.int32 tensor")
    if actions.dtype is not torch.int32:
        raise TypeError(f"actions are {actions.dtype}; they must be torch.int32")
    if actions.shape != (lanes,) or not actions.is_contiguous() or actions.device != device:
        found = f"shape {tuple(actions.shape)} on {actions.device}"
        raise ValueError(f"actions have {found}; they must be ({lanes},), contiguous, on {device}")
