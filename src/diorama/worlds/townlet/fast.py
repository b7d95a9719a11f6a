"""The fast tier: the same town in `crates/townlet`, told and drawn by the readable one."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from diorama.contracts.errors import ContractError
from diorama.native import NativeCore, load_native
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.contract import WORLD_ID
from diorama.worlds.townlet.core_documents import config_document, tables_document
from diorama.worlds.townlet.core_records import Teller
from diorama.worlds.townlet.reference.reloading import check_reload
from diorama.worlds.townlet.reference.systems.hooks import run_deferred
from diorama.worlds.townlet.reference.unfinished import Unfinished
from diorama.worlds.townlet.tables.compiling import load_tables, require_batch_hooks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from diorama import _native
    from diorama.contracts.buffers import Buffers
    from diorama.contracts.config import WorldConfig
    from diorama.contracts.records import StepRecord
    from diorama.contracts.tiers import BatchCore, CoreRequest
    from diorama.contracts.values import I32
    from diorama.worlds.townlet.tables.town_tables import TownTables


def accelerate(config: TownletConfig, request: CoreRequest) -> BatchCore:
    """Build a block of native copies.

    Raises:
        ConfigError: The files of the configuration are wrong, or hold hooks that cannot run in a batch.
        TierUnavailable: When the native core does not load, or a device other than the CPU is asked for.
    """
    request.require_cpu(WORLD_ID)
    tables = load_tables(config)
    require_batch_hooks(tables)
    return open_core(tables, config, copies=request.copies, seed=request.seed, threads=request.threads)


def open_core(tables: TownTables, config: TownletConfig, *, copies: int, seed: int, threads: int) -> TownletCore:
    """Build native copies of a town whose tables are at hand.

    Raises:
        TierUnavailable: When the native core does not load.
    """
    batch: _native.NativeBatch = load_native().townlet_batch(
        config.canonical(), config_document(config), tables_document(tables), copies, seed, threads
    )
    return TownletCore(batch, Teller(tables, config))


class TownletCore(NativeCore):
    """Native copies whose numbers are told in words, and whose deferred hooks run after every step."""

    def __init__(self, batch: _native.NativeBatch, teller: Teller) -> None:
        """Present a native batch; `teller` knows the names of its town."""
        super().__init__(batch, teller.render)
        self._teller = teller
        self._next: Teller | None = None
        self._unfinished: dict[int, Unfinished] = {}

    def reset(self, copies: Sequence[int], seeds: Sequence[int] | None, buffers: Buffers) -> None:
        """Reset the named copies, with their own seeds or the next of their sequences."""
        super().reset(copies, seeds, buffers)
        for copy in copies:
            self._unfinished.pop(copy, None)

    def snapshot(self, copy: int) -> bytes:
        """Return the complete state of the copy, seed sequence included.

        Raises:
            SnapshotError: Somebody is doing something by rules that a reload has changed since.
        """
        if copy in self._unfinished:
            self._unfinished[copy].check(self._teller.town_of(self._batch, copy))
        return super().snapshot(copy)

    def restore(self, copy: int, data: bytes, buffers: Buffers) -> None:
        """Continue from a snapshot and write the copy's observation and mask; on an error nothing changes."""
        super().restore(copy, data, buffers)
        self._unfinished.pop(copy, None)

    def start_from(self, copy: int, data: bytes, seed: int | None, buffers: Buffers) -> None:
        """Begin the episode of a copy in the state of a snapshot; on an error nothing changes."""
        super().start_from(copy, data, seed, buffers)
        self._unfinished.pop(copy, None)

    def step(self, actions: I32, buffers: Buffers) -> None:
        """Advance every copy by one decision per seat."""
        super().step(actions, buffers)
        if self._next is not None:
            before, self._teller, self._next = self._teller.tables, self._next, None
            self._render = self._teller.render
            self._note_unfinished(before)
        if self._teller.has_hooks:
            for copy in range(self._batch.copies):
                run_deferred(self._teller.tick_of(self._batch.step_record(copy)))

    def stage_reload(self, config: WorldConfig) -> tuple[str, ...]:
        """Have every town go on under another configuration from the next step on; return the paths that change.

        Raises:
            ConfigError: Its files are wrong, or something that needs a restart differs; nothing changes then.
        """
        assert isinstance(config, TownletConfig), "the engine parses configurations"
        tables = load_tables(config)
        require_batch_hooks(tables)
        changed = check_reload(self._teller.tables, self._teller.config, tables, config)
        load_native().townlet_reload(self._batch, config.canonical(), config_document(config), tables_document(tables))
        self._next = Teller(tables, config)
        return changed

    def expert_actions(self, actions: I32) -> None:
        """Write the option the scripted controller would select for every citizen; 0 for free seats.

        Raises:
            ContractError: The town is played with primitives.
        """
        if not self._teller.has_options:
            raise ContractError("the scripted controller selects options; set policy_runtime.action_level to option")
        self._batch.expert_actions(actions)

    def step_record(self, copy: int) -> StepRecord:
        """Return the last step of the copy, or its opening if there was none since an explicit reset."""
        return self._teller.told(self._batch.step_record(copy))

    def opening_record(self, copy: int) -> StepRecord:
        """Describe the episode the copy has just opened."""
        return self._teller.told(self._batch.opening_record(copy))

    def split(self, sizes: Sequence[int]) -> list[BatchCore]:
        """Hand the copies over to independent cores of these sizes."""
        parts = [TownletCore(part, self._teller) for part in self._batch.split(sizes)]
        firsts = accumulate(sizes, initial=0)
        for part, first, size in zip(parts, firsts, sizes, strict=False):
            part._next = self._next
            part._unfinished = {
                copy - first: found for copy, found in self._unfinished.items() if first <= copy < first + size
            }
        return [*parts]

    def _note_unfinished(self, before: TownTables) -> None:
        for copy in range(self._batch.copies):
            town, earlier = self._teller.town_of(self._batch, copy), self._unfinished.pop(copy, None)
            if (found := Unfinished.after_reload(town, before, earlier)) is not None:
                self._unfinished[copy] = found
