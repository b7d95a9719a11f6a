"""Lanes on a GPU: nothing comes back to the host, and rewards stay on the device."""

import time
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from consoles.device_build import DeviceBuild
from consoles.device_reward import DeviceReward
from consoles.runners import lane_bytes
from consoles.setting import Setting, Stage
from diorama.contracts.values import I32
from diorama.worlds.gameboy.boot import BootMode, boot_stub
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.kernel.warp_lanes import CPU_BUILD, CUDA_BUILD, WarpLanes


class DeviceRunner:
    """Lanes of `warp_cuda`, with the interface of a `Runner`."""

    def __init__(
        self,
        rom: RomUnderTest,
        lanes: int,
        stage: Stage,
        setting: Setting,
        build: DeviceBuild,
        *,
        device: str = "cuda:0",
    ) -> None:
        """Compile for the device, or load what was compiled before, and switch the lanes on."""
        began = time.perf_counter()
        default = CPU_BUILD if device == "cpu" else CUDA_BUILD
        self._lanes = WarpLanes(
            rom.image,
            lanes,
            device=device,
            boot=None if rom.boot is BootMode.POST else boot_stub(rom.boot),
            picture="none" if stage == "emulate_only" else "packed2",
            build=replace(default, style=build.style, layout=build.layout, max_registers=build.max_registers),
            block=build.block,
        )
        self.compile_seconds = time.perf_counter() - began
        self.build = {"backend": "warp_cpu" if device == "cpu" else "warp_cuda", "build": str(build)}
        self._frames = (setting.schedule.frames_per_step, setting.schedule.release_after_frames)
        self._reward: DeviceReward | None = None
        self._pays = stage == "full_step"
        if self._pays:
            self._lanes.capture(0, 0)

    def step(self, actions: I32) -> None:
        """Queue a step on the device."""
        queued = torch.from_numpy(actions).to(self._lanes.device, non_blocking=True)
        self._lanes.step_tensor(queued, *self._frames)
        if not self._pays:
            return
        pictures = self._lanes.picture_tensor
        self._reward = self._reward or DeviceReward(pictures)
        ended, slots = self._reward.step(pictures)
        self._lanes.restore_golden_tensor(ended, slots)

    def finish(self) -> None:
        """Wait for the device."""
        if self._lanes.device.type == "cuda":
            torch.cuda.synchronize(self._lanes.device)

    def instructions(self) -> int:
        """Sum over all lanes."""
        return int(self._lanes.field("instr_count").sum())

    def pcs(self) -> NDArray[np.int64]:
        """Of every lane."""
        return self._lanes.field("pc").astype(np.int64)

    def state_bytes(self) -> int:
        """Of the canonical state."""
        return lane_bytes(self._lanes)

    def close(self) -> None:
        """Nothing outlives the object."""
