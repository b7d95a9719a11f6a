"""`Slice`: copies that step together while the device decides for others."""

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

import torch

from diorama.device_recording import Recording, side_stream
from diorama.learn.collector import SamplingParams
from diorama.learn.cuda.storage import LastSeen, SliceStorage
from diorama.learn.keyed_random import DrawKey, fractions_of_steps, opening, uniforms
from diorama.learn.policies.distributions import Drawing
from diorama.learn.policies.heads import option_probabilities
from diorama.learn.policies.policy import Policy
from diorama.learn.streams import ACTIONS


@dataclass(frozen=True, slots=True)
class _CutOff:
    """Rows whose episode one step cut off: what they saw last, and what they remembered."""

    step: int
    last: LastSeen
    memory: torch.Tensor


class Slice:
    """Copies whose rows lie side by side.

    Everything a decision needs is asked of the device at once and nothing is waited for until the core needs the
    actions. What one decision does is recorded and played back with one call; which step it is, the recording counts
    itself.

    Attributes:
        env_seconds: Of this rollout, spent on stepping.
    """

    def __init__(self, storages: Sequence[SliceStorage], *, graphs: bool) -> None:
        """Take the copies, with their rows in every rollout that is filled in turn; nothing is opened yet."""
        rollout, rows = storages[0].rollout, storages[0].rows
        self.env_seconds = 0.0
        self._device = device = rollout.device
        self._storages = storages
        self._storage = storages[0]
        self._stream = side_stream(device, is_urgent=True)
        # Whoever waits sleeps: the cores are for stepping.
        self._answered = torch.cuda.Event(blocking=True) if self._stream is not None else None
        heads, count = len(rollout.shape.spec.heads), rows.stop - rows.start
        self._row_words = torch.arange(rows.start, rows.stop, dtype=torch.int64, device=device)
        self._memory = rollout.memory[rows]
        self._place = torch.zeros(1, dtype=torch.int64, device=device)
        # Drawn for a whole rollout at once: a few dozen small kernels that no decision waits for.
        self._fractions = torch.zeros(rollout.shape.steps, count, heads, dtype=torch.float64, device=device)
        self._actions = torch.zeros(count, heads, dtype=torch.int32, device=device)
        self._log_probs = torch.zeros(count, heads, device=device)
        self._recordings = [Recording(self._decide, self._stream, is_recorded=graphs) for _ in storages]
        self._recording = self._recordings[0]
        self._policy: Policy
        self._acting: SamplingParams
        self._cut_off: list[_CutOff] = []
        self.adopt(0)

    def adopt(self, turn: int) -> None:
        """Let the copies write into the beginning of one of the rollouts."""
        self._storage, self._recording = self._storages[turn], self._recordings[turn]
        self._storage.adopt()

    def open(self) -> None:
        """Open an episode in every copy."""
        self._storage.open()

    def restore(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot; the memory and the flags of the rollout are the caller's."""
        shape, rows = self._storage.rollout.shape, self._storage.rows
        agents = shape.spec.agents
        self._storage.restore(snapshots[rows.start // agents : rows.stop // agents])

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return self._storage.snapshots()

    def awake(self) -> AbstractContextManager[None]:
        """Keep the threads that step the copies from sleeping inside the block; all slices share them."""
        return self._storage.awake()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Ask everything inside the block of the slice's own stream."""
        with nullcontext() if self._stream is None else torch.cuda.stream(self._stream), torch.inference_mode():
            yield

    def begin(self, turn: int, policy: Policy, acting: SamplingParams) -> None:
        """Begin to fill one of the rollouts: its first decision is asked for. Call it inside `at_work`."""
        self._storage, self._recording = self._storages[turn], self._recordings[turn]
        self._policy, self._acting = policy, acting
        self.env_seconds = 0.0
        self._cut_off = []
        steps = range(self._storage.rollout.shape.steps)
        words = [opening((acting.seed, ACTIONS, acting.update, step)) for step in steps]
        self._fractions.copy_(fractions_of_steps(words, self._row_words, self._fractions.shape[2]))
        self._place.zero_()
        self._storage.rollout.begin(self._storage.rows)
        self._ask(0)

    def advance(self, step: int) -> None:
        """Step every copy with the decisions asked for, and ask for the next, or value what comes after the last.

        Call it inside `at_work`.
        """
        storage = self._storage
        if self._answered is not None:
            self._answered.synchronize()
        storage.explain(step)
        began = time.perf_counter()
        storage.step(step)
        cut_off = storage.cut_off(step)
        self.env_seconds += time.perf_counter() - began
        if cut_off is not None:
            self._keep(step, cut_off)
        if step + 1 < storage.rollout.shape.steps:
            self._ask(step + 1)
        else:
            self._close()

    def settle(self) -> None:
        """Wait until everything asked for is done."""
        if self._stream is not None:
            self._stream.synchronize()

    def _ask(self, step: int) -> None:
        acting, storage = self._acting, self._storage
        self._keep_memory(step)
        self._recording.run((acting.exploration, acting.use_masks))
        if acting.teacher_share:
            self._hand_over(step)
            storage.answer(storage.chosen[step])
        if self._answered is not None:
            self._answered.record()

    def _decide(self) -> None:
        storage, policy, acting, place = self._storage, self._policy, self._acting, self._place
        seen, extras = storage.take_in(place)
        features, memory = policy.features(seen["obs"], seen["obs_u8"], self._memory, seen["episode_start"][None])
        self._memory.copy_(memory)
        masks = seen["masks"] if acting.use_masks else None
        policy.heads.choose(
            features.actor,
            masks,
            extras,
            Drawing(exploration=acting.exploration, key=None, fractions=self._fractions.index_select(0, place)[0]),
            actions=self._actions,
            log_probs=self._log_probs,
        )
        if storage.is_heard:
            storage.likelihoods = option_probabilities(
                policy.heads, features.actor, masks, extras, self._actions, acting.exploration
            )
        storage.chosen.index_copy_(0, place, self._actions[None])
        storage.log_probs.index_copy_(0, place, self._log_probs[None])
        storage.values.index_copy_(0, place, policy.values(features)[None])
        storage.answer(self._actions)
        place.add_(1)

    def _close(self) -> None:
        storage = self._storage
        seen, _ = storage.take_in(self._place)
        features, _ = self._policy.features(seen["obs"], seen["obs_u8"], self._memory, seen["episode_start"][None])
        storage.values[-1].copy_(self._policy.values(features))
        self._value_cut_off()

    def _hand_over(self, step: int) -> None:
        """Let the world's controller take its share of the decisions."""
        acting, storage = self._acting, self._storage
        actions = storage.chosen[step]
        rows, heads = actions.shape
        # One draw more than there are heads: whose decision it is.
        key = DrawKey(seed=acting.seed, update=acting.update, step=step, row=storage.rows.start, head=heads)
        is_led = uniforms(key, rows, 1, self._device)[:, 0] < acting.teacher_share
        storage.rollout.led[step, storage.rows] = is_led
        actions.copy_(torch.where(is_led[:, None], storage.advise().to(self._device), actions))

    def _keep_memory(self, step: int) -> None:
        rollout = self._storage.rollout
        if rollout.shape.memory_width and step % rollout.shape.sequence_length == 0:
            rollout.chunk_memory[step // rollout.shape.sequence_length, self._storage.rows] = self._memory

    def _keep(self, step: int, last: LastSeen) -> None:
        remembered = self._memory[last.places.to(self._device)] if self._policy.memory_width else self._memory[:0]
        self._cut_off.append(_CutOff(step, last, remembered))

    def _value_cut_off(self) -> None:
        if not self._cut_off:
            return
        device, rows = self._device, len(self._row_words)
        places = torch.cat([item.step * rows + item.last.places for item in self._cut_off]).to(device)
        obs = torch.cat([item.last.obs for item in self._cut_off]).to(device)
        obs_u8 = torch.cat([item.last.obs_u8 for item in self._cut_off]).to(device)
        memory = torch.cat([item.memory for item in self._cut_off])
        memory = memory if self._policy.memory_width else memory.new_zeros(len(places), 0)
        starts = torch.zeros(1, len(places), dtype=torch.uint8, device=device)
        features, _ = self._policy.features(obs, obs_u8, memory, starts)
        bootstrap = self._storage.rollout.bootstrap[:, self._storage.rows]
        bootstrap[places // rows, places % rows] = self._policy.values(features)
