"""Training from pictures that never leave the GPU: consoles, policy and learning on it, and a count of what crosses."""

import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import torch

from diorama.contracts.config import parse_config
from diorama.contracts.tiers import CoreRequest
from diorama.contracts.values import JsonObject
from diorama.learn.trainer import Trainer
from diorama.worlds.registry import load_world
from gpu.clock import settle
from gpu.network import settings_of
from gpu.trainer import WARM_UP_UPDATES, Phases


def consoles(case: JsonObject) -> Iterator[JsonObject]:
    """Train for some seconds after a warm-up, then count the bytes that one more update moves between host and GPU.

    Raises:
        AssertionError: As many bytes came to the host as the pictures of one step have, or more.
    """
    settings, copies = settings_of(case), int(str(case["copies"]))
    world = load_world(str(case["world"]))
    config = parse_config(world.id, world.config_type, case["config"])  # type: ignore[arg-type]
    assert world.reside is not None
    request = CoreRequest(copies=copies, seed=1, threads=1, device=settings.execution.device)
    opening = time.perf_counter()
    core = world.reside(config, request)
    phases = Phases()
    trainer = Trainer(core, settings, seed=1, callbacks=[phases])
    per_update = copies * settings.ppo.rollout_steps
    trainer.run(WARM_UP_UPDATES * per_update)
    began, first, ticks = time.perf_counter(), trainer.env_steps_total, trainer.ticks_total
    seconds = float(str(case.get("seconds", 5.0)))
    while time.perf_counter() - began < seconds:
        trainer.run(trainer.env_steps_total + per_update)
    spent = time.perf_counter() - began
    last = phases.reports[-1]
    steps, frames = trainer.env_steps_total - first, trainer.ticks_total - ticks
    moved = bytes_moved(lambda: trainer.run(trainer.env_steps_total + per_update))
    pictures = copies * core.spec.obs_u8_width
    yield {
        **case,
        "steps_per_second": steps / spent,
        "frames_per_second": frames / spent,
        "updates": len(phases.reports) - WARM_UP_UPDATES,
        "warm_up_seconds": began - opening,
        "phase_shares": phases.shares(),
        "entropy": last.entropy,
        "approx_kl": last.approx_kl,
        "explained_variance": last.explained_variance,
        "picture_mib_per_update": pictures * settings.ppo.rollout_steps / (1 << 20),
        "to_host_mib_per_update": moved["DtoH"] / (1 << 20),
        "to_gpu_mib_per_update": moved["HtoD"] / (1 << 20),
    }
    assert moved["DtoH"] + moved["HtoD"] > 0, "the profiler saw no copy at all, so it says nothing"
    assert moved["DtoH"] < pictures, f"{moved['DtoH']} bytes came to the host; pictures of one step have {pictures}"
    trainer.close()


def bytes_moved(work: Callable[[], object]) -> Counter[str]:
    """Return how many bytes are copied from (`DtoH`) and to (`HtoD`) the GPU while some work is done once."""
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        work()
        settle()
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.json"
        profile.export_chrome_trace(str(trace))
        events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    moved: Counter[str] = Counter()
    for event in events:
        name = str(event.get("name", ""))
        if name.startswith("Memcpy "):
            moved[name.split()[1]] += int(event["args"]["bytes"])
    return moved
