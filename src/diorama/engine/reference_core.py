"""Drives copies of a readable simulation through the same interface as a native core, one after another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from diorama.contracts.buffers import Buffers, buffer_shapes
from diorama.contracts.capabilities import Carrying, ProvidesExpert, Reloadable, Reseedable
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ContractError, SnapshotError
from diorama.contracts.records import StepRecord
from diorama.contracts.spec import WorldSpec
from diorama.contracts.tiers import BatchCore, Simulation
from diorama.contracts.values import I32, U64, JsonObject
from diorama.contracts.world import World
from diorama.rng import episode_seed
from diorama.rng.mixing import MASK64
from diorama.snapshots import check_configuration, hash_words, pack_snapshot, unpack_snapshot

_SEQUENCE_WORDS = 3  # base, index and count stand before the world's own words in a snapshot


@dataclass(slots=True)
class SeedSequence:
    """Where a copy is in its sequence of episode seeds."""

    base: int
    index: int
    count: int = 0

    def restart(self, seed: int) -> int:
        """Make a given seed the base of the sequence and return it."""
        self.base, self.count = seed, 0
        return seed

    def advance(self) -> int:
        """Return the next seed of the sequence."""
        self.count = (self.count + 1) & MASK64
        return episode_seed(self.base, self.index, self.count)


@dataclass(frozen=True, slots=True)
class _Setup:
    """A configuration, and what snapshots say of it."""

    config: WorldConfig
    header: dict[str, Any]

    @classmethod
    def of(cls, config: WorldConfig) -> Self:
        return cls(config, config.model_dump(mode="json"))


@dataclass(slots=True)
class _Copy:
    setup: _Setup
    simulation: Simulation
    sequence: SeedSequence
    last: StepRecord | None = None


class ReferenceCore:
    """A block of copies of the readable tier."""

    def __init__(self, world: World[WorldConfig], spec: WorldSpec, copies: list[_Copy]) -> None:
        """Take over the copies; use `build` to make them."""
        self._world = world
        self._spec = spec
        self._event_bits = {name: 1 << bit for bit, name in enumerate(spec.event_names)}
        self._copies = copies
        self._next: _Setup | None = None

    @classmethod
    def build(cls, world: World[WorldConfig], config: WorldConfig, *, copies: int, seed: int) -> Self:
        """Make `copies` simulations whose seed sequences start from `seed`."""
        setup = _Setup.of(config)
        sequences = (SeedSequence(base=seed, index=index) for index in range(copies))
        made = [_Copy(setup, world.simulate(config), sequence) for sequence in sequences]
        return cls(world, world.describe(config), made)

    def reset(self, copies: Sequence[int], seeds: Sequence[int] | None, buffers: Buffers) -> None:
        """Reset the named copies, with their own seeds or the next of their sequences."""
        for place, index in enumerate(copies):
            copy = self._copies[index]
            if seeds is not None and isinstance(copy.simulation, Carrying):
                copy.simulation.drop_carried()
            copy.simulation.reset(copy.sequence.advance() if seeds is None else copy.sequence.restart(seeds[place]))
            copy.last = None
            rows = self._rows(index, buffers)
            self._write_opening(copy, rows)
            rows.episode_start[:] = 1

    def step(self, actions: I32, buffers: Buffers) -> None:
        """Advance every copy by one decision per seat."""
        agents = self._spec.agents
        for index, copy in enumerate(self._copies):
            rows = self._rows(index, buffers)
            decisions = [tuple(row) for row in actions[index * agents : (index + 1) * agents].tolist()]
            copy.last = copy.simulation.step(decisions)
            self._write_outcome(copy, copy.last, rows)
            has_ended = copy.simulation.is_over
            if has_ended:
                copy.simulation.reset(copy.sequence.advance())
            self._write_view(copy, rows)
            rows.episode_start[:] |= has_ended
        if self._next is not None:
            for copy in self._copies:
                copy.setup = self._next
            self._next = None

    def stage_reload(self, config: WorldConfig) -> tuple[str, ...]:
        """Have every copy go on under another configuration from the next step on; return the paths that change.

        Raises:
            ConfigError: Something that needs a restart differs; nothing changes then.
            ContractError: The world takes no other configuration while it runs.
        """
        changed: tuple[str, ...] = ()
        for copy in self._copies:
            if not isinstance(copy.simulation, Reloadable):
                raise ContractError(f"{self._spec.world!r} takes no other configuration while it runs")
            changed = copy.simulation.stage_reload(config)
        self._next = _Setup.of(config)
        return changed

    def carried(self, copy: int) -> U64:
        """Return what the copy carries from one episode on to the next."""
        simulation = self._copies[copy].simulation
        return simulation.carried_words() if isinstance(simulation, Carrying) else np.zeros(0, np.uint64)

    def carry(self, copy: int, words: U64) -> None:
        """Have the copy carry something else.

        Raises:
            SnapshotError: The words make no sense; nothing changes then.
        """
        simulation = self._copies[copy].simulation
        if isinstance(simulation, Carrying):
            simulation.carry_words(words)
        elif len(words):
            raise SnapshotError(f"copies of {self._spec.world!r} carry nothing from one episode on to the next")

    def expert_actions(self, actions: I32) -> None:
        """Write what the world's own controller would select for every row.

        Raises:
            ContractError: The world has no controller of its own.
        """
        agents = self._spec.agents
        for index, copy in enumerate(self._copies):
            if not isinstance(copy.simulation, ProvidesExpert):
                raise ContractError(f"{self._spec.world!r} has no controller of its own")
            copy.simulation.expert_actions(actions[index * agents : (index + 1) * agents])

    def episode_seed(self, copy: int) -> int:
        """Return the seed of the episode the copy is in."""
        return self._copies[copy].simulation.episode_seed

    def step_record(self, copy: int) -> StepRecord:
        """Return the last step of the copy, or its opening if there was none since an explicit reset."""
        return self._copies[copy].last or self.opening_record(copy)

    def opening_record(self, copy: int) -> StepRecord:
        """Describe the episode the copy has just opened."""
        return self._copies[copy].simulation.opening_record()

    def snapshot(self, copy: int) -> bytes:
        """Return the complete state of the copy, seed sequence included."""
        own = self._copies[copy]
        return _pack(self._spec, own.setup.header, own.sequence, own.simulation.snapshot_words())

    def restore(self, copy: int, data: bytes, buffers: Buffers) -> None:
        """Continue from a snapshot and write the copy's observation and mask; on an error nothing changes."""
        setup = self._copies[copy].setup
        sequence, simulation = self._loaded(setup, data)
        self._copies[copy] = _Copy(setup, simulation, sequence)
        self._write_opening(self._copies[copy], self._rows(copy, buffers))

    def start_from(self, copy: int, data: bytes, seed: int | None, buffers: Buffers) -> None:
        """Begin the episode of a copy in the state of a snapshot; on an error nothing changes."""
        _, simulation = self._loaded(self._copies[copy].setup, data)
        if isinstance(simulation, Carrying):
            simulation.carry_words(self.carried(copy))
        if seed is not None:
            if not isinstance(simulation, Reseedable):
                raise ContractError(
                    f"{self._spec.world!r} cannot draw from another seed in the middle of an episode",
                    code="reseeding_unsupported",
                    world=self._spec.world,
                )
            simulation.reseed(seed)
        own, rows = self._copies[copy], self._rows(copy, buffers)
        own.simulation = simulation
        self._write_view(own, rows)
        rows.episode_start[:] = 1

    def reconfigure(
        self, copies: Sequence[int], prototypes: Sequence[BatchCore], seeds: Sequence[int], buffers: Buffers
    ) -> None:
        """Replace the episodes that copies have just opened by episodes in other configurations."""
        setups = [self._setup_of(prototype) for prototype in prototypes]
        for index, setup, seed in zip(copies, setups, seeds, strict=True):
            copy, sequence = self._copies[index], SeedSequence(base=seed, index=0)
            simulation = self._world.simulate(setup.config)
            simulation.reset(sequence.advance())
            copy.setup, copy.simulation, copy.sequence = setup, simulation, sequence
            rows = self._rows(index, buffers)
            self._write_view(copy, rows)
            rows.episode_start[:] = 1

    def state_words(self, copy: int) -> U64:
        """Return the canonical state words of the copy."""
        return self._copies[copy].simulation.state_words()

    def state_hash(self, copy: int) -> int:
        """Return the hash of the copy's canonical state."""
        return hash_words(self.state_words(copy))

    def render_state(self, copy: int) -> JsonObject:
        """Return what a viewer needs to draw the copy."""
        return self._copies[copy].simulation.render_state()

    def split(self, sizes: Sequence[int]) -> list[BatchCore]:
        """Hand the copies over to independent cores of these sizes."""
        copies = iter(self._copies)
        parts = [ReferenceCore(self._world, self._spec, [next(copies) for _ in range(size)]) for size in sizes]
        for part in parts:
            part._next = self._next
        self._copies = []
        return [*parts]

    def _setup_of(self, prototype: BatchCore) -> _Setup:
        if not isinstance(prototype, ReferenceCore) or not prototype._copies or prototype._world is not self._world:
            raise ContractError(
                "another configuration is given as a core of the same world and tier with at least one copy"
            )
        if buffer_shapes(prototype._spec, 1) != buffer_shapes(self._spec, 1):
            raise ContractError(f"a copy of {self._spec.world!r} cannot go on with arrays of another shape")
        return prototype._copies[0].setup

    def _loaded(self, setup: _Setup, data: bytes) -> tuple[SeedSequence, Simulation]:
        """Return the copy that a snapshot holds, and the sequence of seeds that it had."""
        header, words = unpack_snapshot(data, self._spec.snapshot_magic, self._spec.snapshot_version)
        check_configuration(header, setup.header)
        if len(words) <= _SEQUENCE_WORDS:
            raise SnapshotError("the snapshot holds no state")
        base, index, count = (int(word) for word in words[:_SEQUENCE_WORDS])
        simulation = self._world.simulate(setup.config)
        simulation.load_words(words[_SEQUENCE_WORDS:])
        if simulation.is_over:
            raise SnapshotError("the snapshot is of a finished episode; there is nothing to continue")
        if self._next is not None and isinstance(simulation, Reloadable):
            simulation.stage_reload(self._next.config)
        return SeedSequence(base, index, count), simulation

    def _rows(self, copy: int, buffers: Buffers) -> Buffers:
        return buffers.copies_slice(copy, copy + 1, agents=self._spec.agents)

    def _write_view(self, copy: _Copy, rows: Buffers) -> None:
        copy.simulation.observe(rows.obs, rows.obs_u8)
        copy.simulation.write_masks(rows.masks)
        copy.simulation.write_alive(rows.alive)
        copy.simulation.write_episode_starts(rows.episode_start)
        # Whoever takes no decision has nothing to decide by; the last view of a row that ended is in `final_obs`.
        idle = rows.alive == 0
        rows.obs[idle], rows.obs_u8[idle] = 0.0, 0

    def _write_opening(self, copy: _Copy, rows: Buffers) -> None:
        for buffer in (rows.rewards, rows.terminated, rows.truncated, rows.dt, rows.events):
            buffer[:] = 0
        rows.metrics[:] = copy.simulation.opening_record().metrics
        self._write_view(copy, rows)

    def _write_outcome(self, copy: _Copy, record: StepRecord, rows: Buffers) -> None:
        rows.rewards[:] = record.rewards
        rows.terminated[:] = record.terminated
        rows.truncated[:] = record.truncated
        rows.metrics[:] = record.metrics
        rows.dt[0] = record.dt
        rows.events[0] = self._bits(record.events)
        ended = [seat for seat in range(self._spec.agents) if record.terminated[seat] or record.truncated[seat]]
        if ended:
            obs, obs_u8 = np.zeros_like(rows.obs), np.zeros_like(rows.obs_u8)
            copy.simulation.observe(obs, obs_u8)
            rows.final_obs[ended], rows.final_obs_u8[ended] = obs[ended], obs_u8[ended]

    def _bits(self, events: Sequence[str]) -> int:
        bits = 0
        for name in events:
            if name not in self._event_bits:
                raise ContractError(
                    f"{name!r} happened, and is no event of {self._spec.world!r}: {[*self._event_bits]}"
                )
            bits |= self._event_bits[name]
        return bits


def opening_snapshot(spec: WorldSpec, config: WorldConfig, seed: int, words: U64) -> bytes:
    """Return the snapshot of a copy that begins its seeds with `seed`, in a state given as snapshot words."""
    return _pack(spec, config.model_dump(mode="json"), SeedSequence(base=seed, index=0), words)


def snapshot_words(spec: WorldSpec, data: bytes) -> U64:
    """Return the world's own words of a snapshot, which `Simulation.load_words` takes."""
    _, words = unpack_snapshot(data, spec.snapshot_magic, spec.snapshot_version)
    return words[_SEQUENCE_WORDS:]


def _pack(spec: WorldSpec, header: dict[str, Any], sequence: SeedSequence, words: U64) -> bytes:
    sequence_words = np.array([sequence.base, sequence.index, sequence.count], dtype=np.uint64)
    return pack_snapshot(spec.snapshot_magic, spec.snapshot_version, header, np.concatenate([sequence_words, words]))
