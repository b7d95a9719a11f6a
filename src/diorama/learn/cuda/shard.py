"""`DeviceShard`: copies that step together while the device computes the actions of other shards."""

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

import torch

from diorama.device_recording import Recording, side_stream
from diorama.learn.cuda.storage import FinalObservations, ShardStorage
from diorama.learn.keyed_random import DrawKey, key_prefix, uniforms, uniforms_of_steps
from diorama.learn.policies.distributions import ActionSampling
from diorama.learn.policies.heads import option_probabilities
from diorama.learn.policies.policy import Policy
from diorama.learn.shard import SamplingParams
from diorama.learn.streams import ACTIONS


@dataclass(frozen=True, slots=True)
class _Truncated:
    """Rows whose episode was truncated at a step, with their final observation and recurrent state."""

    step: int
    final: FinalObservations
    memory: torch.Tensor


class DeviceShard:
    """Consecutive copies of a rollout.

    All kernels of a decision are launched at once, and the host waits only before the environments need the actions.
    The kernels are recorded as a CUDA graph, which counts the steps itself.

    Attributes:
        env_seconds: Time that the current rollout spent stepping.
    """

    def __init__(self, storages: Sequence[ShardStorage], *, graphs: bool) -> None:
        """Use the shard's storage in every rollout, and the first rollout first; `graphs` records CUDA graphs."""
        rollout, rows = storages[0].rollout, storages[0].rows
        self.env_seconds = 0.0
        self._device = device = rollout.device
        self._storages = storages
        self._storage = storages[0]
        self._stream = side_stream(device, is_urgent=True)
        # A blocking event lets the waiting thread sleep: the cores are needed for stepping.
        self._actions_ready = torch.cuda.Event(blocking=True) if self._stream is not None else None
        heads, count = len(rollout.shape.spec.heads), rows.stop - rows.start
        self._row_ids = torch.arange(rows.start, rows.stop, dtype=torch.int64, device=device)
        self._memory = rollout.memory[rows]
        self._step_index = torch.zeros(1, dtype=torch.int64, device=device)
        # Random numbers of a whole rollout at once: many small kernels that no decision has to wait for.
        self._uniforms = torch.zeros(rollout.shape.steps, count, heads, dtype=torch.float64, device=device)
        self._actions = torch.zeros(count, heads, dtype=torch.int32, device=device)
        self._log_probs = torch.zeros(count, heads, device=device)
        self._recordings = [Recording(self._act, self._stream, is_recorded=graphs) for _ in storages]
        self._recording = self._recordings[0]
        self._policy: Policy
        self._params: SamplingParams
        self._truncated: list[_Truncated] = []
        self.use_rollout(0)

    def use_rollout(self, index: int) -> None:
        """Let the copies write into one of the rollouts, from its first step on."""
        self._storage, self._recording = self._storages[index], self._recordings[index]
        self._storage.adopt()

    def reset(self) -> None:
        """Start an episode in every copy."""
        self._storage.reset()

    def restore(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot; the caller restores `episode_start` and the recurrent state.

        Args:
            snapshots: Of all copies of the rollout.
        """
        shape, rows = self._storage.rollout.shape, self._storage.rows
        agents = shape.spec.agents
        self._storage.restore(snapshots[rows.start // agents : rows.stop // agents])

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return self._storage.snapshots()

    def awake(self) -> AbstractContextManager[None]:
        """Keep the threads that step the copies from sleeping while the block runs; all shards share them."""
        return self._storage.awake()

    @contextmanager
    def on_stream(self) -> Iterator[None]:
        """Launch all kernels of the block on the shard's own stream."""
        with nullcontext() if self._stream is None else torch.cuda.stream(self._stream), torch.inference_mode():
            yield

    def begin(self, index: int, policy: Policy, params: SamplingParams) -> None:
        """Begin to fill one of the rollouts: request its first actions. Call it inside `on_stream`."""
        self._storage, self._recording = self._storages[index], self._recordings[index]
        self._policy, self._params = policy, params
        self.env_seconds = 0.0
        self._truncated = []
        steps = range(self._storage.rollout.shape.steps)
        prefixes = [key_prefix((params.seed, ACTIONS, params.update, step)) for step in steps]
        self._uniforms.copy_(uniforms_of_steps(prefixes, self._row_ids, self._uniforms.shape[2]))
        self._step_index.zero_()
        self._storage.rollout.reset(self._storage.rows)
        self._request_actions(0)

    def step(self, step: int) -> None:
        """Step every copy with the requested actions, then request the next ones or bootstrap the last values.

        Call it inside `on_stream`.
        """
        storage = self._storage
        if self._actions_ready is not None:
            self._actions_ready.synchronize()
        storage.send_policy_outputs(step)
        began = time.perf_counter()
        storage.step(step)
        final = storage.truncated_rows(step)
        self.env_seconds += time.perf_counter() - began
        if final is not None:
            self._store_truncated(step, final)
        if step + 1 < storage.rollout.shape.steps:
            self._request_actions(step + 1)
        else:
            self._bootstrap()

    def synchronize(self) -> None:
        """Wait for all launched kernels."""
        if self._stream is not None:
            self._stream.synchronize()

    def _request_actions(self, step: int) -> None:
        params, storage = self._params, self._storage
        self._store_memory(step)
        self._recording.run((params.exploration, params.use_masks))
        if params.teacher_share:
            self._replace_by_expert(step)
            storage.send_actions(storage.actions[step])
        if self._actions_ready is not None:
            self._actions_ready.record()

    def _act(self) -> None:
        storage, policy, params, step = self._storage, self._policy, self._params, self._step_index
        inputs, extras = storage.load_inputs(step)
        features, memory = policy.features(inputs["obs"], inputs["obs_u8"], self._memory, inputs["episode_start"][None])
        self._memory.copy_(memory)
        masks = inputs["masks"] if params.use_masks else None
        policy.heads.sample(
            features.actor,
            masks,
            extras,
            ActionSampling(exploration=params.exploration, key=None, uniforms=self._uniforms.index_select(0, step)[0]),
            actions=self._actions,
            log_probs=self._log_probs,
        )
        if storage.wants_policy_outputs:
            storage.probabilities = option_probabilities(
                policy.heads, features.actor, masks, extras, self._actions, params.exploration
            )
        storage.actions.index_copy_(0, step, self._actions[None])
        storage.log_probs.index_copy_(0, step, self._log_probs[None])
        storage.values.index_copy_(0, step, policy.values(features)[None])
        storage.send_actions(self._actions)
        step.add_(1)

    def _bootstrap(self) -> None:
        storage = self._storage
        inputs, _ = storage.load_inputs(self._step_index)
        starts = inputs["episode_start"][None]
        features, _ = self._policy.features(inputs["obs"], inputs["obs_u8"], self._memory, starts)
        storage.values[-1].copy_(self._policy.values(features))
        self._bootstrap_truncated()

    def _replace_by_expert(self, step: int) -> None:
        params, storage = self._params, self._storage
        actions = storage.actions[step]
        rows, heads = actions.shape
        # The draw after those of the heads: whether the expert chooses the action of the row.
        key = DrawKey(seed=params.seed, update=params.update, step=step, row=storage.rows.start, head=heads)
        by_expert = uniforms(key, rows, 1, self._device)[:, 0] < params.teacher_share
        storage.rollout.by_expert[step, storage.rows] = by_expert
        actions.copy_(torch.where(by_expert[:, None], storage.expert_actions().to(self._device), actions))

    def _store_memory(self, step: int) -> None:
        rollout = self._storage.rollout
        if rollout.shape.memory_width and step % rollout.shape.sequence_length == 0:
            rollout.chunk_memory[step // rollout.shape.sequence_length, self._storage.rows] = self._memory

    def _store_truncated(self, step: int, final: FinalObservations) -> None:
        memory = self._memory[final.rows.to(self._device)] if self._policy.memory_width else self._memory[:0]
        self._truncated.append(_Truncated(step, final, memory))

    def _bootstrap_truncated(self) -> None:
        if not self._truncated:
            return
        device, rows = self._device, len(self._row_ids)
        indices = torch.cat([item.step * rows + item.final.rows for item in self._truncated]).to(device)
        obs = torch.cat([item.final.obs for item in self._truncated]).to(device)
        obs_u8 = torch.cat([item.final.obs_u8 for item in self._truncated]).to(device)
        memory = torch.cat([item.memory for item in self._truncated])
        memory = memory if self._policy.memory_width else memory.new_zeros(len(indices), 0)
        starts = torch.zeros(1, len(indices), dtype=torch.uint8, device=device)
        features, _ = self._policy.features(obs, obs_u8, memory, starts)
        bootstrap = self._storage.rollout.bootstrap[:, self._storage.rows]
        bootstrap[indices // rows, indices % rows] = self._policy.values(features)
