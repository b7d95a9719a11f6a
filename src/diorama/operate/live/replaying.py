"""Lives through a log again: from a snapshot, or from the beginning, to the last tick that was executed."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from diorama.contracts.errors import DocumentError, ReplayDiverged
from diorama.contracts.live.world import Selection
from diorama.contracts.values import JsonObject
from diorama.operate.live.journal.entries import CommandsLine, Line, TickLine
from diorama.operate.live.services import Services
from diorama.snapshots import hash_hex

_HEALTHY: JsonObject = {"dropped": 0, "breaker_open": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What a log held."""

    ticks: int
    commands: int
    hashes_compared: int


def replay(services: Services, lines: Iterator[Line]) -> Replayed:
    """Execute commands and ticks as they were logged; nothing is told, kept or audited.

    Raises:
        DocumentError: A line is broken or does not follow on the one before.
        ReplayDiverged: The state is not the one that was logged.
        SnapshotError: A command cannot be executed any more.
    """
    ticks = commands = compared = 0
    transport = _HEALTHY
    for line in lines:
        _check_follows(services, line)
        if isinstance(line, CommandsLine):
            services.desk.executor.replay(line.commands)
            commands += len(line.commands)
            continue
        transport = transport if line.transport is None else line.transport
        _repeat(services, line, transport)
        ticks += 1
        if line.state_hash is not None:
            _compare(services, line.tick, line.state_hash)
            compared += 1
    return Replayed(ticks=ticks, commands=commands, hashes_compared=compared)


def _repeat(services: Services, line: TickLine, transport: JsonObject) -> None:
    world = services.world
    world.schedule()
    change = services.promotion.take_change()
    if change is not None:
        services.decider = services.shelf.open(change)
    if line.switched:
        world.forget_context()
    _check_decider(services, line)
    if services.decider.remembers:
        # What it selects was logged; what it remembers was not, and comes from seeing everything again.
        services.decider.decide(world)
    world.decide(Selection(actions=_actions(services, line), policy=services.decider.identity))
    world.resolve()
    world.settle()
    events = list(world.take_events())
    events += services.judge(events, transport)
    # Nobody is told, but world and publisher remember what was told.
    services.publisher.repeat(world.narrate(events))
    world.advance()


def _check_decider(services: Services, line: TickLine) -> None:
    source = services.decider.identity.source
    if source != line.source:
        raise ReplayDiverged(
            f"the log diverged at tick {line.tick}: what decided was {line.source}, is now {source} "
            f"({services.decider.pointer.checkpoint})"
        )


def _actions(services: Services, line: TickLine) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    spec = services.world.spec
    shape = (spec.agents, len(spec.heads))
    if len(line.actions) != shape[0] * shape[1]:
        raise DocumentError(f"tick {line.tick} of the log has {len(line.actions)} actions; {shape} are needed")
    return np.array(line.actions, np.int32).reshape(shape)


def _check_follows(services: Services, line: Line) -> None:
    tick = services.world.clock.tick
    if line.tick != tick:
        raise DocumentError(f"the log goes on with tick {line.tick}; the world is at tick {tick}")


def _compare(services: Services, tick: int, recorded: str) -> None:
    found = hash_hex(services.world.state_hash())
    if found != recorded:
        raise ReplayDiverged(f"the log diverged at tick {tick}: the state was {recorded}, is now {found}")
