"""Small worlds with known solutions, as vector environments."""

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.spec import ActionHead, Dtype, Metric, ObservationField, WorldSpec
from diorama.contracts.values import I32

CUES = 3


def toy_spec(
    observation: tuple[ObservationField, ...],
    heads: tuple[ActionHead, ...],
    *,
    agents: int = 1,
    has_mask: bool = False,
) -> WorldSpec:
    return WorldSpec(
        world="toy",
        interface_version="toy-v1",
        agents=agents,
        observation=observation,
        heads=heads,
        has_mask=has_mask,
        metrics=(Metric(key="steps", label="Steps"),),
        events=(),
        tick_seconds=1.0,
        snapshot_magic=b"TOYS",
        snapshot_version=1,
    )


def head(name: str, options: int, noop: int = 0) -> ActionHead:
    return ActionHead(name=name, options=tuple(f"{name}{option}" for option in range(options)), noop=noop)


class ToyEnvs:
    """Copies as rows of one integer table: index, episode, steps, then what the toy adds."""

    spec: ClassVar[WorldSpec]
    columns: ClassVar[int] = 0

    def __init__(self, copies: int) -> None:
        self.table = np.zeros((copies, 3 + self.columns), np.int64)
        self.table[:, 0] = np.arange(copies)
        self.buffers = Buffers.allocate(self.spec, copies)

    @property
    def copies(self) -> int:
        return len(self.table)

    @property
    def steps(self) -> NDArray[np.int64]:
        return self.table[:, 2]

    @property
    def state(self) -> NDArray[np.int64]:
        return self.table[:, 3:]

    def luck(self, options: int) -> NDArray[np.int64]:
        """A pseudo-random number per copy that depends only on its index and episode."""
        words = self.table[:, 0].astype(np.uint64) << np.uint64(20) | self.table[:, 1].astype(np.uint64)
        words = (words ^ (words >> np.uint64(15))) * np.uint64(0x9E3779B97F4A7C15)
        words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((words >> np.uint64(33)) % np.uint64(options)).astype(np.int64)

    def begin(self, opened: NDArray[np.bool_]) -> None:
        """Set the state of the copies that open an episode."""

    def observe(self, buffers: Buffers, rows: NDArray[np.bool_], final: bool) -> None:
        """Write observations of these copies."""
        raise NotImplementedError

    def advance(self, actions: I32, buffers: Buffers) -> None:
        """Write rewards and flags."""
        raise NotImplementedError

    def write_masks(self, masks: NDArray[np.uint8]) -> None:
        masks[:] = 1

    def adopt(self, buffers: Buffers) -> None:
        self.buffers = buffers

    def reset(self) -> None:
        everywhere = np.ones(self.copies, np.bool_)
        self.table[:, 1] += 1
        self.table[:, 2:] = 0
        self.begin(everywhere)
        self._show(everywhere)

    def step(self, actions: I32, into: Buffers) -> None:
        self.buffers = into
        into.rewards[:] = 0
        into.terminated[:] = 0
        into.truncated[:] = 0
        into.dt[:] = 1
        self.table[:, 2] += 1
        self.advance(actions, into)
        into.metrics[:] = self.steps[:, None]
        ended = (into.terminated | into.truncated) != 0
        self.observe(into, ended, final=True)
        self.table[ended, 1] += 1
        self.table[ended, 2:] = 0
        self.begin(ended)
        self._show(ended)

    def _show(self, opened: NDArray[np.bool_]) -> None:
        everywhere = np.ones(self.copies, np.bool_)
        self.observe(self.buffers, everywhere, final=False)
        self.write_masks(self.buffers.masks)
        self.buffers.alive[:] = 1
        self.buffers.episode_start[:] = opened

    def snapshot(self, copy: int) -> bytes:
        data: bytes = self.table[copy].tobytes()
        return data

    def restore(self, copy: int, data: bytes) -> None:
        self.table[copy] = np.frombuffer(data, np.int64)
        self._show(np.zeros(self.copies, np.bool_))

    def episode_seed(self, copy: int) -> int:
        return int(self.table[copy, 1])

    def start_from(self, copy: int, data: bytes, *, seed: int | None = None) -> None:
        self.table[copy, 2:] = np.frombuffer(data, np.int64)[2:]
        opened = self.buffers.episode_start != 0
        opened[copy] = True
        self._show(opened)

    def split(self, parts: int) -> Sequence[Self]:
        made = []
        for table in np.array_split(self.table, parts):
            part = type(self)(len(table))
            part.table[:] = table
            made.append(part)
        return made


class Cues(ToyEnvs):
    """One step: name the cue that is shown, with both heads; the second head must name the next one."""

    columns = 1
    spec = toy_spec(
        (ObservationField(name="cue", start=0, shape=(CUES,), meaning="one-hot"),),
        (head("first", CUES), head("second", CUES)),
    )

    def begin(self, opened: NDArray[np.bool_]) -> None:
        self.state[opened, 0] = self.luck(CUES)[opened]

    def observe(self, buffers: Buffers, rows: NDArray[np.bool_], final: bool) -> None:
        target = buffers.final_obs if final else buffers.obs
        target[rows] = np.eye(CUES, dtype=np.float32)[self.state[rows, 0]]

    def advance(self, actions: I32, buffers: Buffers) -> None:
        cue = self.state[:, 0]
        buffers.rewards[:] = 0.5 * (actions[:, 0] == cue) + 0.5 * (actions[:, 1] == (cue + 1) % CUES)
        buffers.terminated[:] = 1


class Corridor(ToyEnvs):
    """Walk from 0 to the far end; steps cost, the end pays, 60 steps are the limit; the wall masks 'left' at 0."""

    columns = 1
    length = 8
    spec = toy_spec(
        (ObservationField(name="place", start=0, shape=(8,), meaning="one-hot"),), (head("move", 3),), has_mask=True
    )

    def observe(self, buffers: Buffers, rows: NDArray[np.bool_], final: bool) -> None:
        target = buffers.final_obs if final else buffers.obs
        target[rows] = np.eye(self.length, dtype=np.float32)[np.minimum(self.state[rows, 0], self.length - 1)]

    def advance(self, actions: I32, buffers: Buffers) -> None:
        self.state[:, 0] = np.maximum(0, self.state[:, 0] + np.array([0, -1, 1])[actions[:, 0]])
        arrived = self.state[:, 0] >= self.length - 1
        buffers.rewards[:] = np.where(arrived, 1.0, -0.02)
        buffers.terminated[:] = arrived
        buffers.truncated[:] = ~arrived & (self.steps >= 60)

    def write_masks(self, masks: NDArray[np.uint8]) -> None:
        masks[:] = 1
        masks[:, 1] = self.state[:, 0] > 0


class Voyage(ToyEnvs):
    """Walk from 0 to the far end within 40 steps; only the arrival pays, and 'left' and 'right' are equally near."""

    columns = 1
    length = 20
    limit = 40
    spec = toy_spec((ObservationField(name="place", start=0, shape=(20,), meaning="one-hot"),), (head("move", 2),))

    def observe(self, buffers: Buffers, rows: NDArray[np.bool_], final: bool) -> None:
        target = buffers.final_obs if final else buffers.obs
        target[rows] = np.eye(self.length, dtype=np.float32)[np.minimum(self.state[rows, 0], self.length - 1)]

    def advance(self, actions: I32, buffers: Buffers) -> None:
        self.state[:, 0] = np.maximum(0, self.state[:, 0] + np.array([-1, 1])[actions[:, 0]])
        arrived = self.state[:, 0] >= self.length - 1
        buffers.rewards[:] = arrived
        buffers.terminated[:] = arrived
        buffers.truncated[:] = ~arrived & (self.steps >= self.limit)


class Salary(ToyEnvs):
    """One state, reward 1 per step; `limit` steps end the episode, by the rules or by the clock."""

    limit = 7
    by_rules = False
    spec = toy_spec((ObservationField(name="one", start=0, meaning="always 1"),), (head("any", 2),))

    def observe(self, buffers: Buffers, rows: NDArray[np.bool_], final: bool) -> None:
        (buffers.final_obs if final else buffers.obs)[rows] = 1.0

    def advance(self, actions: I32, buffers: Buffers) -> None:
        buffers.rewards[:] = 1.0
        ended = self.steps >= self.limit
        (buffers.terminated if self.by_rules else buffers.truncated)[:] = ended


class Wage(Salary):
    """The same, but the episode ends by the rules."""

    by_rules = True


class Recall(ToyEnvs):
    """A cue is shown at the first step and asked for three steps later."""

    columns = 1
    delay = 3
    spec = toy_spec(
        (ObservationField(name="seen", start=0, shape=(CUES + 1,), meaning="cue, and whether it is asked for"),),
        (head("answer", CUES),),
    )

    def begin(self, opened: NDArray[np.bool_]) -> None:
        self.state[opened, 0] = self.luck(CUES)[opened]

    def observe(self, buffers: Buffers, rows: NDArray[np.bool_], final: bool) -> None:
        target = buffers.final_obs if final else buffers.obs
        shown = np.zeros((self.copies, CUES + 1), np.float32)
        shown[:, :CUES] = np.eye(CUES, dtype=np.float32)[self.state[:, 0]] * (self.steps == 0)[:, None]
        shown[:, CUES] = self.steps == self.delay
        target[rows] = shown[rows]

    def advance(self, actions: I32, buffers: Buffers) -> None:
        asked = self.steps > self.delay
        buffers.rewards[:] = asked & (actions[:, 0] == self.state[:, 0])
        buffers.terminated[:] = asked


class Picture(ToyEnvs):
    """One step: which quarter of a 12 × 12 picture is lit?"""

    columns = 1
    side = 12
    spec = toy_spec(
        (
            ObservationField(name="noise", start=0, meaning="nothing"),
            ObservationField(
                name="screen", start=0, shape=(12, 12), dtype=Dtype.UINT8, high=255.0, meaning="one lit quarter"
            ),
        ),
        (head("quarter", 4),),
    )

    def begin(self, opened: NDArray[np.bool_]) -> None:
        self.state[opened, 0] = self.luck(4)[opened]

    def observe(self, buffers: Buffers, rows: NDArray[np.bool_], final: bool) -> None:
        target = buffers.final_obs_u8 if final else buffers.obs_u8
        screens = np.zeros((self.copies, self.side, self.side), np.uint8)
        for copy, quarter in enumerate(self.state[:, 0]):
            down, across = divmod(int(quarter), 2)
            screens[copy, down * 6 : down * 6 + 6, across * 6 : across * 6 + 6] = 255
        target[rows] = screens.reshape(self.copies, -1)[rows]

    def advance(self, actions: I32, buffers: Buffers) -> None:
        buffers.rewards[:] = actions[:, 0] == self.state[:, 0]
        buffers.terminated[:] = 1


class Workshop(ToyEnvs):
    """Ops wait, use and drop; `use` and `drop` name a slot, and which slots they may name differs.

    Slot 0 or 1 is full; using the full slot pays 1, dropping the empty one pays 0.3, waiting pays 0. The extra array
    `slot_by_op` says which slot each op may name, and `fullness` which slot is full.
    """

    columns = 1
    ops = 3
    slots = 2
    spec = toy_spec(
        (ObservationField(name="blind", start=0, meaning="always 1"),),
        (head("slot", 2), head("op", 3)),
        has_mask=True,
    )

    def begin(self, opened: NDArray[np.bool_]) -> None:
        self.state[opened, 0] = self.luck(self.slots)[opened]

    def observe(self, buffers: Buffers, rows: NDArray[np.bool_], final: bool) -> None:
        (buffers.final_obs if final else buffers.obs)[rows] = 1.0

    def advance(self, actions: I32, buffers: Buffers) -> None:
        slot, op = actions[:, 0], actions[:, 1]
        full = self.state[:, 0]
        assert ((op != 0) | (slot == 0)).all(), "an irrelevant slot must carry its placeholder"
        assert ((op != 1) | (slot == full)).all(), "use names the full slot"
        assert ((op != 2) | (slot != full)).all(), "drop names the empty slot"
        buffers.rewards[:] = np.where(op == 1, 1.0, np.where(op == 2, 0.3, 0.0))
        buffers.terminated[:] = 1

    def extra(self, name: str) -> NDArray[np.generic]:
        full = np.eye(self.slots, dtype=np.uint8)[self.state[:, 0]]
        if name == "fullness":
            return full.astype(np.float32)
        waits = np.ones_like(full)
        return np.concatenate([waits, full, 1 - full], axis=1)
