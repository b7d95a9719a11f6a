"""What no trainer can exceed on a machine: stepping with all threads, and moving rows to the GPU and back."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

import torch

import diorama
from diorama.contracts.values import JsonObject, JsonValue
from diorama.engine.system_facts import system_facts
from diorama.engine.throughput import ValidActionSampler
from diorama.learn.buffer import RolloutBuffer, RolloutShape
from gpu.clock import timed

_MIB = 1 << 20
_STEPS = 10
_HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def machine(_: JsonObject) -> Iterator[JsonObject]:
    """Tell what machine this is."""
    facts: dict[str, JsonValue] = {**system_facts(), "torch": torch.__version__, "threads": torch.get_num_threads()}
    if _HUGE_PAGES.is_file():
        facts["huge_pages"] = _HUGE_PAGES.read_text(encoding="utf-8").strip()
    if torch.cuda.is_available():
        card = torch.cuda.get_device_properties(0)
        facts |= {"card": card.name, "multiprocessors": card.multi_processor_count, "memory": card.total_memory}
    yield facts


def stepping(case: JsonObject) -> Iterator[JsonObject]:
    """Step copies into the rows of a rollout, as a collector does, with random valid actions drawn beforehand."""
    grid = case["grid"]
    assert isinstance(grid, list)
    for copies, threads, slices, memory in grid:
        seconds = _step_seconds(str(case["world"]), copies, threads, slices, memory)
        yield {
            "copies": copies,
            "threads": threads,
            "slices": slices,
            "memory": memory,
            "copies_per_second": copies / seconds["step"],
            **{f"{name}_ms": spent * 1e3 for name, spent in seconds.items()},
        }


def _step_seconds(world: str, copies: int, threads: int, slices: int, memory: str) -> dict[str, float]:
    began = time.perf_counter()
    batch = diorama.make(world, copies=copies, seed=1, threads=threads)
    shape = RolloutShape(spec=batch.spec, copies=copies, steps=_STEPS, sequence_length=1, memory_width=0, extras={})
    made = time.perf_counter()
    rollout = RolloutBuffer(shape, torch.device("cuda" if memory == "pinned" else "cpu"))
    sampler = ValidActionSampler(batch.spec, seed=1)
    parts = batch.split(slices)
    first = [sum(part.copies for part in parts[:place]) for place in range(len(parts))]
    buffers = [
        [rollout.buffers(step, begin, part.copies) for step in range(_STEPS + 1)]
        for part, begin in zip(parts, first, strict=True)
    ]
    allocated = time.perf_counter()
    for part, rows in zip(parts, buffers, strict=True):
        part.adopt(rows[0])
        part.reset()
    spent = {"make": made - began, "allocate": allocated - made, "reset": time.perf_counter() - allocated}
    stepping, sampling = [], []
    for step in range(_STEPS):
        began = time.perf_counter()
        actions = [sampler.sample(part.masks) for part in parts]
        sampled = time.perf_counter()
        for part, rows, chosen in zip(parts, buffers, actions, strict=True):
            part.step(chosen, rows[step + 1])
        stepping.append(time.perf_counter() - sampled)
        sampling.append(sampled - began)
    # The first steps touch memory for the first time.
    return {
        **spent,
        "first_step": stepping[0],
        "step": median(stepping[_STEPS // 2 :]),
        "sample": median(sampling[_STEPS // 2 :]),
    }


def transfers(_: JsonObject) -> Iterator[JsonObject]:
    """Copy rows to the GPU and small answers back."""
    for mib in (1, 8, 32, 128):
        for pinned in (True, False):
            host = torch.ones(mib * _MIB, dtype=torch.uint8, pin_memory=pinned)
            there = torch.empty(mib * _MIB, dtype=torch.uint8, device="cuda")
            seconds = timed(partial(there.copy_, host, non_blocking=True), repeats=20)
            yield {"mib": mib, "pinned": pinned, "to": "gpu", "gb_per_second": mib * _MIB / seconds / 1e9}
    back = torch.empty(65536, dtype=torch.int32, pin_memory=True)
    there = torch.ones(65536, dtype=torch.int32, device="cuda")
    seconds = timed(partial(back.copy_, there, non_blocking=True), repeats=50)
    yield {"mib": 0.25, "pinned": True, "to": "host", "gb_per_second": 262144 / seconds / 1e9}
    began = time.perf_counter()
    for _turn in range(200):
        back.copy_(there, non_blocking=True)
        torch.cuda.current_stream().synchronize()
    yield {"to": "host, waited for each time", "us": (time.perf_counter() - began) / 200 * 1e6}
