"""`diorama.make`: the one way to get a batch."""

from collections.abc import Mapping

from diorama.contracts.buffers import Buffers
from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError
from diorama.contracts.tiers import CoreRequest
from diorama.contracts.world import World
from diorama.engine.batch import Batch
from diorama.engine.batch_views import BatchFacts
from diorama.engine.seeding import as_seed
from diorama.engine.system_facts import usable_cores
from diorama.engine.tiers import AUTO, build_core
from diorama.worlds.registry import load_world

MAX_COPIES = 1 << 20
MAX_THREADS = 1024


def make(
    world: str,
    *,
    copies: int = 1,
    config: Mapping[str, object] | WorldConfig | None = None,
    seed: int = 0,
    tier: str = AUTO,
    threads: int | str = AUTO,
    device: str = "cpu",
    buffers: Buffers | None = None,
) -> Batch:
    """Make `copies` copies of a world that step together.

    Args:
        world: World id, such as `"prospector"`.
        copies: How many worlds one call steps.
        config: The world's own configuration; defaults where keys are left out.
        seed: Base of every copy's sequence of episode seeds, until `reset` is given seeds.
        tier: `"auto"` (fast if it loads and passes a first-step check), `"reference"` or `"fast"`.
        threads: Threads of the fast tier; `"auto"` is one per core this process may use. Results do not depend on it.
        device: `"cpu"`, or another device where the world offers one.
        buffers: Arrays to write into, if the caller wants to own them.

    Returns:
        A batch; call `reset` before `step`.

    Raises:
        UnknownName: No such world.
        ConfigError: A value is wrong; the message says which and what would be right.
        TierUnavailable: The tier or device was asked for by name and cannot run here.
    """
    return make_batch(
        load_world(world),
        copies=copies,
        config=config,
        seed=seed,
        tier=tier,
        threads=threads,
        device=device,
        buffers=buffers,
    )


def make_batch(
    world: World[WorldConfig],
    *,
    copies: int = 1,
    config: Mapping[str, object] | WorldConfig | None = None,
    seed: int = 0,
    tier: str = AUTO,
    threads: int | str = AUTO,
    device: str = "cpu",
    buffers: Buffers | None = None,
) -> Batch:
    """Like `make`, for a registration that is at hand."""
    if not 1 <= copies <= MAX_COPIES:
        raise ConfigError(f"copies is {copies}; use 1..{MAX_COPIES}")
    parsed = parse_config(world.id, world.config_type, config)
    request = CoreRequest(copies=copies, seed=as_seed(seed), threads=_thread_count(threads), device=device)
    tier_selected, fallback_reason, core = build_core(world, parsed, tier, request)
    facts = BatchFacts(
        world=world,
        config=parsed,
        seed=request.seed,
        threads=request.threads,
        device=device,
        tier_requested=tier,
        tier_selected=tier_selected,
        tier_fallback_reason=fallback_reason,
    )
    return Batch(facts, core, copies, buffers)


def _thread_count(threads: int | str) -> int:
    if threads == AUTO:
        return usable_cores()
    if not isinstance(threads, int) or not 1 <= threads <= MAX_THREADS:
        raise ConfigError(f"threads is {threads!r}; use 'auto' or 1..{MAX_THREADS}")
    return threads
