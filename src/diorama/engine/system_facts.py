"""What machine and versions a report was made with."""

import math
import os
import platform
from pathlib import Path

import diorama
from diorama.contracts.values import JsonObject

_CPU_INFO = Path("/proc/cpuinfo")
_CPU_SHARE = Path("/sys/fs/cgroup/cpu.max")  # microseconds of processor time in so many of the clock, or "max"


def system_facts() -> JsonObject:
    """Return the `system` block of a report."""
    return {
        "diorama": diorama.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cpu_model": cpu_model(),
        "cores": usable_cores(),
    }


def cpu_model() -> str:
    """Return the processor's name as the system tells it."""
    if _CPU_INFO.is_file():
        for line in _CPU_INFO.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def usable_cores() -> int:
    """Return how many cores this process may run on; a container's share of them, where it has one."""
    cores = len(os.sched_getaffinity(0))
    if not _CPU_SHARE.is_file():
        return cores
    quota, _, period = _CPU_SHARE.read_text(encoding="utf-8").partition(" ")
    return cores if quota == "max" else max(1, min(cores, math.ceil(int(quota) / int(period))))
