"""Backends `warp_cpu` and `warp_cuda`: the generated module compiled by Warp, with tensors in and out."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from diorama.worlds.gameboy.kernel.host_lanes import HostLanes
from diorama.worlds.gameboy.kernel.options import BuildOptions, Layout, for_cartridge
from diorama.worlds.gameboy.kernel.py_lanes import checked_cartridge
from diorama.worlds.gameboy.kernel.warp_device import DEFAULT_BLOCK, WarpDevice

if TYPE_CHECKING:
    import torch

CPU_BUILD: Final = BuildOptions(layout=Layout.ENV_MAJOR)
# At 128 registers 512 threads fit a multiprocessor, which is as many lanes as a batch of 65,536 gives each.
CUDA_BUILD: Final = BuildOptions(layout=Layout.TILE32, max_registers=128)


class WarpLanes(HostLanes):
    """Lanes compiled for `cpu` or `cuda:k`. Tensors share the lanes' memory; launches go on torch's current stream."""

    def __init__(
        self,
        rom: bytes,
        lanes: int,
        *,
        device: str = "cpu",
        threads: int = 1,
        boot: bytes | None = None,
        picture: str = "none",
        watch: Sequence[int] = (),
        cartridge_ram: bytes | None = None,
        allow_bad_checksum: bool = False,
        build: BuildOptions | None = None,
        block: int = DEFAULT_BLOCK,
    ) -> None:
        """Switch consoles on.

        Args:
            rom: The cartridge image.
            lanes: How many consoles.
            device: `cpu`, `cuda` or `cuda:k`.
            threads: Taken so that all backends are opened alike.
            boot: The boot stub; None starts as after a boot.
            picture: `none`, `shade_full`, `shade_half` or `packed2`.
            watch: Addresses of the watched bytes.
            cartridge_ram: What cartridge RAM holds at power-on.
            allow_bad_checksum: Load a ROM with a wrong header checksum too.
            build: Style, layout, registers and debug traps; by default those that suit the device.
            block: Threads of a block on a GPU.

        Raises:
            TierUnavailable: If Warp or the device is missing.
            ValueError: If the cartridge or a setting is refused.
        """
        cartridge = checked_cartridge(rom, allow_bad_checksum=allow_bad_checksum)
        default = CPU_BUILD if device == "cpu" else CUDA_BUILD
        options = for_cartridge(build or default, cartridge, picture=picture, watch_count=len(watch))
        self._warp = WarpDevice(options, device, block=block)
        super().__init__(self._warp, options, cartridge, lanes, boot=boot, watch=watch, cartridge_ram=cartridge_ram)
        self._tensors: dict[str, torch.Tensor] = {}

    @property
    def device(self) -> "torch.device":
        """Where the lanes live."""
        import torch

        return torch.device(self._warp.wp.device_to_torch(self._warp.warp_device))

    @property
    def picture_tensor(self) -> "torch.Tensor":
        """Pictures, uint8 (lanes, *picture_shape); empty without pictures."""
        size = self.lanes * self._store.picture_bytes
        return self._tensor("picture", self._store.arrays.picture)[:size].view(self.lanes, *self.picture_shape)

    @property
    def watch_tensor(self) -> "torch.Tensor":
        """Watched bytes, uint8 (lanes, addresses)."""
        return self._tensor("watch", self._watched)[:, : self.options.watch_count]

    @property
    def ram_v3_tensor(self) -> "torch.Tensor":
        """The numbers of format `ram_v3`, float32 (lanes, 32)."""
        return self._tensor("ram_v3", self._features)

    @property
    def trap_tensor(self) -> "torch.Tensor":
        """Field `trap_kind`, int32 (lanes,)."""
        return self._tensor("traps", self._traps)

    def step_tensor(self, actions: "torch.Tensor", frames_per_step: int, release_after_frames: int) -> None:
        """Advance every lane by one step; the actions are int32 on the device, used in place."""
        self._check_schedule(frames_per_step, release_after_frames)
        self._check_tensor("actions", actions, "torch.int32")
        with self._on_current_stream():
            self._launch_step(self._warp.wp.from_torch(actions), frames_per_step, release_after_frames)
            self._launch_observe()

    def restore_golden_tensor(self, mask: "torch.Tensor", slots: "torch.Tensor") -> None:
        """Copy golden states by tensors of the device; an empty slot leaves its lane alone."""
        self._check_tensor("mask", mask, "torch.uint8")
        self._check_tensor("slots", slots, "torch.int32")
        wp = self._warp.wp
        with self._on_current_stream():
            self._golden.restore_on_device(wp.from_torch(mask), wp.from_torch(slots + 1))
            self._launch_observe()

    def _tensor(self, name: str, array: Any) -> "torch.Tensor":
        if name not in self._tensors:
            self._tensors[name] = self._warp.wp.to_torch(array)
        return self._tensors[name]

    def _check_tensor(self, name: str, tensor: "torch.Tensor", dtype: str) -> None:
        if str(tensor.dtype) != dtype:
            raise TypeError(f"{name} is {tensor.dtype}; it must be {dtype}")
        if tuple(tensor.shape) != (self.lanes,) or not tensor.is_contiguous():
            raise ValueError(f"{name} has shape {tuple(tensor.shape)}; it must be contiguous, ({self.lanes},)")
        if tensor.device != self.device:
            raise ValueError(f"{name} is on {tensor.device}; the lanes are on {self.device}")

    @contextmanager
    def _on_current_stream(self) -> Iterator[None]:
        if self._warp.warp_device.is_cuda:
            import torch

            self._warp.stream = self._warp.wp.stream_from_torch(torch.cuda.current_stream(self.device))
        try:
            yield
        finally:
            self._warp.stream = None
