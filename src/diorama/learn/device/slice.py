"""`Slice`: a run of copies whose decisions are made on a device while other slices step."""

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch

from diorama.learn.device.recording import Recording, side_stream
from diorama.learn.device.storage import SliceStorage
from diorama.learn.keyed import ACTIONS, DrawKey, fractions_from, opening, uniforms
from diorama.learn.lane import Acting
from diorama.learn.policies.policy import Policy
from diorama.learn.rollout import Rollout
from diorama.learn.sampling import Drawing
from diorama.learn.source import Advised, ExtraArrays, HearsDecisions, Source, copy_snapshots, restore_copies


@dataclass(frozen=True, slots=True)
class _CutOff:
    """Rows whose episode one step cut off: what they saw last, on the host, and what they remembered."""

    step: int
    places: torch.Tensor
    obs: torch.Tensor
    obs_u8: torch.Tensor
    memory: torch.Tensor


class Slice:
    """Copies `first_copy` and on.

    Everything a decision needs is asked of the device at once and nothing is waited for until the core needs the
    actions. What one decision does is recorded and played back; which step it is, the recording counts itself.

    Attributes:
        env_seconds: Of this rollout, spent on stepping.
    """

    def __init__(self, source: Source, rollouts: Sequence[Rollout], first_copy: int, *, graphs: bool) -> None:
        """Prepare the views of every rollout that is filled in turn; nothing is opened yet."""
        rollout = rollouts[0]
        self.source = source
        self.first_copy = first_copy
        self.env_seconds = 0.0
        self._device = device = rollout.device
        self._storages = [SliceStorage(item, first_copy, source.copies) for item in rollouts]
        self._storage = self._storages[0]
        self._stream = side_stream(device, is_urgent=True)
        # Whoever waits sleeps: the cores are for stepping.
        self._answered = torch.cuda.Event(blocking=True) if self._stream is not None else None
        rows, heads = self._storage.rows, len(rollout.shape.spec.heads)
        count = rows.stop - rows.start
        self._row_words = torch.arange(rows.start, rows.stop, dtype=torch.int64, device=device)
        self._memory = rollout.memory[rows]
        self._place = torch.zeros(1, dtype=torch.int64, device=device)
        self._openings = torch.zeros(rollout.shape.steps, dtype=torch.int64, device=device)
        self._actions = torch.zeros(count, heads, dtype=torch.int32, device=device)
        self._log_probs = torch.zeros(count, heads, device=device)
        self._recordings = [Recording(self._decide, self._stream, is_recorded=graphs) for _ in rollouts]
        self._recording = self._recordings[0]
        self._policy: Policy
        self._acting: Acting
        self._cut_off: list[_CutOff] = []
        self.adopt(0)

    def adopt(self, turn: int) -> None:
        """Let the copies write into the beginning of one of the rollouts."""
        self._storage, self._recording = self._storages[turn], self._recordings[turn]
        self.source.adopt(self._storage.buffers[0])

    def open(self) -> None:
        """Open an episode in every copy."""
        self.source.reset()
        self._copy_extras(0)

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot; the memory and the flags of the rollout are the caller's."""
        restore_copies(self.source, snapshots)
        self._copy_extras(0)

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return copy_snapshots(self.source)

    def begin(self, turn: int, policy: Policy, acting: Acting) -> None:
        """Begin to fill one of the rollouts: its first decision is asked for."""
        self._storage, self._recording = self._storages[turn], self._recordings[turn]
        self._policy, self._acting = policy, acting
        self.env_seconds = 0.0
        self._cut_off = []
        steps = range(self._storage.rollout.shape.steps)
        words = [opening((acting.seed, ACTIONS, acting.update, step)) for step in steps]
        with self._on_stream():
            self._openings.copy_(torch.tensor(words))
            self._place.zero_()
            self._storage.rollout.begin(self._storage.rows)
        self._ask(0)

    def advance(self, step: int) -> None:
        """Step every copy with the decisions asked for, and ask for the next, or value what comes after the last."""
        storage = self._storage
        if self._answered is not None:
            self._answered.synchronize()
        if isinstance(self.source, HearsDecisions) and self.source.hears_decisions:
            with self._on_stream():
                log_probs, values = (array[step].cpu().numpy() for array in (storage.log_probs, storage.values))
            self.source.hear_decisions(log_probs, values)
        began = time.perf_counter()
        self.source.step(storage.actions[step], storage.buffers[step + 1])
        self.env_seconds += time.perf_counter() - began
        self._copy_extras(step + 1)
        if storage.buffers[step + 1].truncated.any():
            self._cut_off.append(self._keep_cut_off(step))
        if step + 1 < storage.rollout.shape.steps:
            self._ask(step + 1)
        else:
            self._close(step + 1)

    def settle(self) -> None:
        """Wait until everything asked for is done."""
        if self._stream is not None:
            self._stream.synchronize()

    def _ask(self, step: int) -> None:
        storage, acting = self._storage, self._acting
        with self._on_stream(), torch.inference_mode():
            storage.show(step)
            self._keep_memory(step)
            self._recording.run((acting.exploration, acting.use_masks))
            if acting.teacher_share:
                self._hand_over(step)
            storage.answer(step)
            if self._answered is not None:
                self._answered.record()

    def _decide(self) -> None:
        storage, policy, acting, place = self._storage, self._policy, self._acting, self._place
        seen = {name: array.index_select(0, place)[0] for name, array in storage.columns.items()}
        extras = {name: array.index_select(0, place)[0] for name, array in storage.extras.items()}
        features, memory = policy.features(seen["obs"], seen["obs_u8"], self._memory, seen["episode_start"][None])
        self._memory.copy_(memory)
        heads = self._actions.shape[1]
        fractions = fractions_from(self._openings.index_select(0, place), self._row_words, heads)
        policy.heads.choose(
            features.actor,
            seen["masks"] if acting.use_masks else None,
            extras,
            Drawing(exploration=acting.exploration, key=None, fractions=fractions),
            actions=self._actions,
            log_probs=self._log_probs,
        )
        storage.chosen.index_copy_(0, place, self._actions[None])
        storage.log_probs.index_copy_(0, place, self._log_probs[None])
        storage.values.index_copy_(0, place, policy.values(features)[None])
        place.add_(1)

    def _close(self, step: int) -> None:
        storage = self._storage
        with self._on_stream(), torch.inference_mode():
            storage.show(step)
            seen = {name: array[step] for name, array in storage.columns.items()}
            features, _ = self._policy.features(seen["obs"], seen["obs_u8"], self._memory, seen["episode_start"][None])
            storage.values[step].copy_(self._policy.values(features))
            self._value_cut_off()

    def _hand_over(self, step: int) -> None:
        """Let the world's controller take its share of the decisions."""
        assert isinstance(self.source, Advised)
        acting, storage = self._acting, self._storage
        actions = storage.chosen[step]
        rows, heads = actions.shape
        # One draw more than there are heads: whose decision it is.
        key = DrawKey(seed=acting.seed, update=acting.update, step=step, row=storage.rows.start, head=heads)
        is_led = uniforms(key, rows, 1, self._device)[:, 0] < acting.teacher_share
        storage.rollout.led[step, storage.rows] = is_led
        advised = torch.from_numpy(self.source.advise()).to(self._device)
        actions.copy_(torch.where(is_led[:, None], advised, actions))

    def _keep_memory(self, step: int) -> None:
        rollout = self._storage.rollout
        if rollout.shape.memory_width and step % rollout.shape.sequence_length == 0:
            rollout.chunk_memory[step // rollout.shape.sequence_length, self._storage.rows] = self._memory

    def _copy_extras(self, step: int) -> None:
        extras = self._storage.rollout.host_extras
        if extras:
            assert isinstance(self.source, ExtraArrays)
            for name, array in extras.items():
                array[step, self._storage.rows] = torch.from_numpy(self.source.extra(name))

    def _keep_cut_off(self, step: int) -> _CutOff:
        buffers = self._storage.buffers[step + 1]
        places = torch.from_numpy(buffers.truncated.nonzero()[0])
        with self._on_stream():
            return _CutOff(
                step=step,
                places=places,
                obs=torch.from_numpy(buffers.final_obs)[places],
                obs_u8=torch.from_numpy(buffers.final_obs_u8)[places],
                memory=self._memory[places.to(self._device)] if self._policy.memory_width else self._memory[:0],
            )

    def _value_cut_off(self) -> None:
        if not self._cut_off:
            return
        device, rows = self._device, len(self._row_words)
        places = torch.cat([item.step * rows + item.places for item in self._cut_off]).to(device)
        obs = torch.cat([item.obs for item in self._cut_off]).to(device)
        obs_u8 = torch.cat([item.obs_u8 for item in self._cut_off]).to(device)
        memory = torch.cat([item.memory for item in self._cut_off])
        memory = memory if self._policy.memory_width else memory.new_zeros(len(places), 0)
        starts = torch.zeros(1, len(places), dtype=torch.uint8, device=device)
        features, _ = self._policy.features(obs, obs_u8, memory, starts)
        bootstrap = self._storage.rollout.bootstrap[:, self._storage.rows]
        bootstrap[places // rows, places % rows] = self._policy.values(features)

    def _on_stream(self) -> AbstractContextManager[object]:
        return nullcontext() if self._stream is None else torch.cuda.stream(self._stream)
