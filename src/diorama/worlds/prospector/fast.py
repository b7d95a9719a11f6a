"""The fast tier: the same world in `crates/prospector`, drawn by the same renderer."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from diorama.contracts.bots import BatchedBot
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.values import JsonObject
from diorama.native import NativeBotRows, NativeCore, load_native
from diorama.worlds.prospector.config import ProspectorConfig
from diorama.worlds.prospector.contract import WORLD_ID
from diorama.worlds.prospector.reference.words import read_state
from diorama.worlds.prospector.render import render_state

if TYPE_CHECKING:
    from diorama._native import NativeBatch


def accelerate(config: ProspectorConfig, request: CoreRequest) -> BatchCore:
    """Build a block of native copies.

    Raises:
        TierUnavailable: When the native core does not load, or a device other than the CPU is asked for.
    """
    request.require_cpu(WORLD_ID)
    batch: NativeBatch = load_native().prospector_batch(
        config.canonical(), request.copies, request.seed, request.threads
    )

    def render(batch: "NativeBatch", copy: int) -> JsonObject:
        return render_state(read_state(batch.state_words(copy)), config)

    return NativeCore(batch, render)


def _batched(name: str) -> Callable[[int], BatchedBot]:
    return lambda rows: NativeBotRows(load_native().prospector_bots(name, rows))


BATCHED_BOTS: Final[Mapping[str, Callable[[int], BatchedBot]]] = {
    name: _batched(name) for name in ("prudent_hauler", "refiner", "explorer")
}
