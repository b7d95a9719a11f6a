"""Runs the cases of a matrix, on as many cores as wanted, and replays recorded ones."""

import signal
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError, ContractError
from diorama.contracts.world import World
from diorama.parity.bundle import read_bundle, write_bundle
from diorama.parity.cases import Case
from diorama.parity.lockstep import Mismatch, walk_in_lockstep
from diorama.parity.players import RecordedPlayer, SuitePlayer
from diorama.parity.profiles import Profile
from diorama.parity.sides import Sides
from diorama.worlds.registry import load_world


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """How a case ended.

    Attributes:
        case: What was compared.
        steps: Decisions that were compared, the offending one included.
        episodes: Episodes that ended.
        seconds: Wall-clock time.
        mismatch: What stopped the case; None when both sides agree.
        bundle: Directory that holds the evidence of a mismatch.
    """

    case: Case
    steps: int
    episodes: int
    seconds: float
    mismatch: Mismatch | None = None
    bundle: Path | None = None


def check_case(world: World[WorldConfig], case: Case, profile: Profile, bundle_root: Path) -> CaseResult:
    """Compare the two tiers of a world in one case; a mismatch leaves a bundle below `bundle_root`."""
    sides = Sides.of_world(world)
    walk = walk_in_lockstep(case, sides, SuitePlayer(world, case), profile)
    bundle = None
    if walk.mismatch is not None:
        bundle = write_bundle(bundle_root, world, case, sides, profile, walk, walk.mismatch)
    return CaseResult(
        case=case,
        steps=len(walk.actions),
        episodes=walk.episodes,
        seconds=walk.seconds,
        mismatch=walk.mismatch,
        bundle=bundle,
    )


def check_cases(
    world: World[WorldConfig], cases: Sequence[Case], *, profile: Profile, bundle_root: Path, jobs: int
) -> Generator[CaseResult, None, None]:
    """Yield the result of every case in order; closing the iterator drops the cases that have not begun.

    Args:
        world: What is compared; with more than one job it must be a registered world, because the processes load
            it by its id.
        cases: From `plan_cases`.
        profile: How nearly the tiers must agree.
        bundle_root: Where bundles go; made when the first is written.
        jobs: Processes; 1 stays in this one.
    """
    if jobs < 1:
        raise ConfigError(f"jobs is {jobs}; use 1 or more")
    processes = min(jobs, len(cases))
    if processes <= 1:
        yield from (check_case(world, case, profile, bundle_root) for case in cases)
        return
    if world is not load_world(world.id):
        raise ContractError(f"{world.id!r} is not the registered world of that id; compare it with jobs=1")
    with ProcessPoolExecutor(processes, get_context("spawn"), _ignore_interrupts) as pool:
        pending = [pool.submit(_check_registered, case, profile, bundle_root) for case in cases]
        try:
            for future in pending:
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayResult:
    """What a bundle's actions show today; `recorded_step` is where the sides differed then."""

    result: CaseResult
    recorded_step: int


def replay_bundle(world: World[WorldConfig], directory: Path) -> ReplayResult:
    """Play the actions of a bundle again with its seeds, configuration and profile; writes nothing."""
    recorded = read_bundle(directory, world)
    player = RecordedPlayer(recorded.actions)
    walk = walk_in_lockstep(recorded.case, Sides.of_world(world), player, recorded.profile)
    result = CaseResult(
        case=recorded.case,
        steps=len(walk.actions),
        episodes=walk.episodes,
        seconds=walk.seconds,
        mismatch=walk.mismatch,
        bundle=directory,
    )
    return ReplayResult(result=result, recorded_step=recorded.step)


def _check_registered(case: Case, profile: Profile, bundle_root: Path) -> CaseResult:
    return check_case(load_world(case.world), case, profile, bundle_root)


def _ignore_interrupts() -> None:
    # Ctrl-C reaches the whole process group; the parent alone decides when the workers end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
