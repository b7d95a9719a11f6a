"""What is left of a device's memory: the state of its allocator after a round, and a warning when it runs short."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.contracts.payloads.health import AllocatorStatsPayload, MemoryWarningPayload

WARNING_SHARE: Final = 0.85
WARNING_EVERY_S: Final = 60.0
BYTES_PER_GB: Final = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceMemory:
    """What a device says of its memory; `counters` have the names that the library gives them."""

    device: str
    counters: Mapping[str, int]
    free_bytes: int
    total_bytes: int


def read_memory(device: str) -> DeviceMemory | None:
    """Read the memory of a device; None for the processor, which has no allocator of its own."""
    import torch

    if torch.device(device).type != "cuda":
        return None
    free_bytes, total_bytes = torch.cuda.mem_get_info(device)
    return DeviceMemory(
        device=device, counters=torch.cuda.memory_stats(device), free_bytes=free_bytes, total_bytes=total_bytes
    )


def allocator_stats(memory: DeviceMemory, batch: int) -> AllocatorStatsPayload:
    """Return the state of an allocator; what it holds and nobody uses is fragmentation."""
    counters = memory.counters
    allocated, reserved = counters["allocated_bytes.all.current"], counters["reserved_bytes.all.current"]
    return AllocatorStatsPayload(
        batch_idx=batch,
        device=memory.device,
        allocated_bytes=allocated,
        reserved_bytes=reserved,
        fragmentation_bytes=reserved - allocated,
        num_alloc_retries=counters["num_alloc_retries"],
        num_ooms=counters["num_ooms"],
    )


@dataclass(slots=True)
class MemoryWatch:
    """Warns when little memory is left, once a minute at most."""

    clock: Callable[[], float] = time.monotonic
    warned_at_s: float | None = None

    def look(self, memory: DeviceMemory) -> MemoryWarningPayload | None:
        """Return a warning, where one is due."""
        used = memory.total_bytes - memory.free_bytes
        now = self.clock()
        is_quiet = self.warned_at_s is not None and now - self.warned_at_s < WARNING_EVERY_S
        if used <= WARNING_SHARE * memory.total_bytes or is_quiet:
            return None
        self.warned_at_s = now
        return MemoryWarningPayload(
            gpu_utilization=used / memory.total_bytes,
            gpu_allocated_gb=used / BYTES_PER_GB,
            gpu_total_gb=memory.total_bytes / BYTES_PER_GB,
            threshold=WARNING_SHARE,
        )
