"""What bounds training beside a GPU: every part of it alone, with the slices it has in training, and all together."""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray

import diorama
from diorama.contracts.buffers import Buffers
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32, JsonObject
from diorama.device_recording import side_stream
from diorama.engine.batch import Batch
from diorama.engine.system_facts import usable_cores
from diorama.learn.collector import rollout_shape
from diorama.learn.cuda.collector import DeviceCollector
from diorama.learn.cuda.rollouts import STEP_INPUTS, DeviceRollout
from diorama.learn.cuda.storage import HostStorage
from diorama.learn.cuda.update import DeviceUpdate
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import build_policy
from diorama.learn.ppo import UpdateContext
from diorama.learn.settings import TrainerSettings
from diorama.learn.shard import SamplingParams
from diorama.learn.workers import Workers
from gpu.clock import settle, timed
from gpu.network import settings_of
from gpu.trainer import training

_ROUNDS = 4  # of which the first ones warm up and record
_MEASURED = 3


class Standstill:
    """Copies that never move: what deciding costs when stepping costs nothing."""

    def __init__(self, spec: WorldSpec, copies: int) -> None:
        """Take the shape of the copies."""
        self.spec = spec
        self.copies = copies

    def adopt(self, buffers: Buffers) -> None:
        """Let every row decide, with every option open."""
        buffers.alive[:] = 1
        buffers.masks[:] = 1

    def reset(self) -> None:
        """Stand still."""

    def step(self, actions: I32, into: Buffers) -> None:
        """Stand still."""

    def snapshot(self, copy: int) -> bytes:
        """Have no state."""
        return b""

    def restore(self, copy: int, data: bytes) -> None:
        """Have no state."""

    def split(self, parts: int) -> "list[Standstill]":
        """Stand still in parts."""
        bounds = [part * self.copies // parts for part in range(parts + 1)]
        return [Standstill(self.spec, stop - start) for start, stop in pairwise(bounds)]


def roofline(case: JsonObject) -> Iterator[JsonObject]:
    """Measure simulating, copying, deciding and learning alone, then all together, and say which part bounds it."""
    settings, copies = settings_of(case), int(str(case["copies"]))
    world = str(case["world"])
    spec = diorama.make(world, copies=1, seed=1, threads=1).spec
    rates: dict[str, float] = {"simulate": _simulate(world, copies, settings)}
    torch.cuda.empty_cache()
    rates["copy"] = _copy(spec, copies, settings)
    rates["decide"], rates["learn"] = _decide_and_learn(spec, copies, settings)
    torch.cuda.empty_cache()
    together = [row for row in training(case) if "steps_per_second" in row][-1]
    bound = min(rates, key=rates.__getitem__)
    end_to_end = float(str(together["steps_per_second"]))
    yield {
        **case,
        "rows": copies * spec.agents,
        "bytes_per_row": _row_bytes(spec),
        **{f"{name}_per_second": rate for name, rate in rates.items()},
        "steps_per_second": end_to_end,
        "bound": bound,
        "share_of_bound": end_to_end / rates[bound],
        "phase_shares": together["phase_shares"],
    }


def _simulate(world: str, copies: int, settings: TrainerSettings) -> float:
    """Step all slices side by side, waiting for nobody: with the decisions a policy took in a twin of theirs."""
    execution, steps = settings.execution, settings.ppo.rollout_steps
    decisions = _decisions(world, copies, settings)
    threads = execution.stepping_threads(usable_cores(), copies)
    batch = diorama.make(world, copies=copies, seed=1, threads=threads)
    policy = build_policy(batch.spec, settings, seed=1)
    rollout = DeviceRollout(rollout_shape(batch, policy, settings), torch.device(execution.device))
    parts = batch.split(execution.env_shards(copies))
    rows, first, leads = batch.spec.agents * copies, 0, []
    for part in parts:
        storage = HostStorage(part, rollout, first)
        storage.adopt()
        storage.reset()
        leads.append((part, storage))
        first += part.copies
    leaders = Workers(min(len(parts), execution.threads or len(parts)))
    for actions in decisions:
        began = time.perf_counter()
        with parts[0].awake():
            leaders.run([partial(_step_on, part, storage, actions[:, storage.rows].numpy()) for part, storage in leads])
        seconds = time.perf_counter() - began
    leaders.close()
    return rows * steps / seconds


def _decisions(world: str, copies: int, settings: TrainerSettings) -> list[torch.Tensor]:
    """Return what a fresh policy decides in some rollouts, steps × rows × heads each."""
    strict = _without_overlap(settings)
    batch = diorama.make(world, copies=copies, seed=1, threads=usable_cores())
    policy = build_policy(batch.spec, strict, seed=1)
    collector = DeviceCollector(batch, policy, strict)
    collector.reset()
    found = []
    for update in range(_ROUNDS + 1):
        exploration = policy.heads.plan.exploration(0)
        params = SamplingParams(seed=1, update=update, exploration=exploration, use_masks=batch.spec.has_mask)
        collector.collect(policy, params)
        found.append(collector.rollout.actions.cpu().clone())
        collector.carry_last_step()
    collector.close()
    return found


def _step_on(part: Batch, storage: HostStorage, actions: NDArray[np.int32]) -> None:
    for step, decided in enumerate(actions):
        part.step(decided, storage.buffers[step + 1])


def _without_overlap(settings: TrainerSettings) -> TrainerSettings:
    return settings.model_copy(update={"execution": settings.execution.model_copy(update={"overlap": False})})


def _copy(spec: WorldSpec, copies: int, settings: TrainerSettings) -> float:
    """Send the rows of one slice, as large as in training."""
    rows = copies * spec.agents // settings.execution.env_shards(copies)
    pinned = torch.cuda.is_available()
    host = torch.ones(rows * _row_bytes(spec), dtype=torch.uint8, pin_memory=pinned)
    there = torch.empty_like(host, device=settings.execution.device)
    return rows / timed(partial(there.copy_, host, non_blocking=True), repeats=20)


def _row_bytes(spec: WorldSpec) -> int:
    sizes: dict[str, int] = {name: array.nbytes for name, array in asdict(Buffers.allocate(spec, 1)).items()}
    return sum(sizes[name] for name in STEP_INPUTS) // spec.agents


def _decide_and_learn(spec: WorldSpec, copies: int, settings: TrainerSettings) -> tuple[float, float]:
    """Fill a rollout from copies that stand still, and learn from it; steps per second of each."""
    device = torch.device(settings.execution.device)
    strict = _without_overlap(settings)
    policy = build_policy(spec, strict, seed=1)
    source = Standstill(spec, copies)
    stream = side_stream(device, is_urgent=False)
    rows, steps = copies * spec.agents, settings.ppo.rollout_steps
    scaler = RewardScaler(strict.normalization, rows, strict.ppo.gamma).to(device)
    update = DeviceUpdate(policy, strict, scaler, stream)
    collector = DeviceCollector(source, policy, strict)
    collector.reset()
    exploration = policy.heads.plan.exploration(0)
    params = SamplingParams(seed=1, update=0, exploration=exploration, use_masks=spec.has_mask)
    moment = UpdateContext(seed=1, update=0, env_steps=0, exploration=exploration)
    deciding = _seconds(partial(collector.collect, policy, params))
    rollout = collector.rollout
    rollout.outcome("rewards").normal_()

    def learn() -> None:
        with torch.cuda.stream(stream) if stream is not None else torch.enable_grad():
            update.begin(rollout, moment)
            update.finish()

    learning = _seconds(learn)
    collector.close()
    return rows * steps / deciding, rows * steps / learning


def _seconds(work: Callable[[], object]) -> float:
    for _ in range(_ROUNDS):
        work()
    settle()
    began = time.perf_counter()
    for _ in range(_MEASURED):
        work()
    settle()
    return (time.perf_counter() - began) / _MEASURED
