"""What `diorama snapshot …` does once its flags are read."""

import json
from pathlib import Path

import typer

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError, ReplayDiverged, SnapshotError
from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject
from diorama.contracts.world import World
from diorama.operate.live.batch_world.offer import live_offer
from diorama.operate.live.config_files import read_mapping
from diorama.operate.live.journal.segments import segments
from diorama.operate.live.request import journal_folder, latest_run
from diorama.operate.live.verifying import LogRequest, replay_log
from diorama.operate.snapshots.document import SnapshotDocument
from diorama.operate.snapshots.errors import SnapshotCorrupt
from diorama.operate.snapshots.files import write_snapshot
from diorama.operate.snapshots.loading import Loadable, LoadRules, fit, open_snapshot
from diorama.operate.snapshots.migrations import installed_migrations
from diorama.snapshots import hash_hex
from diorama.worlds.registry import load_world


def print_facts(path: Path) -> None:
    """Print what a snapshot says of itself.

    Raises:
        UnknownName: There is no such file.
        SnapshotError: It cannot be read.
    """
    opened = open_snapshot(path, installed_migrations(), allow_downgrade=True)
    _print({**opened.document.facts(), "warnings": list(opened.warnings)})


def print_verdict(path: Path, config: Path | None, *, is_strict: bool) -> bool:
    """Print whether a snapshot could be loaded, and return it.

    Raises:
        UnknownName: There is no such file.
        ConfigError: The configuration is wrong.
    """
    try:
        document = _checked(path, config, is_strict=is_strict).document
    except SnapshotError as error:
        _print({"valid": False, "message": str(error)})
        return False
    _print({"valid": True, "tick": document.tick, "migrations": list(document.migrations)})
    return True


def migrate_file(path: Path, output: Path, config: Path | None) -> None:
    """Write a snapshot again for a configuration.

    Raises:
        ConfigError: The output exists, or the configuration is wrong.
        SnapshotError: Nothing leads there.
    """
    if output.exists():
        raise ConfigError(f"{output} exists already; choose another name")
    graph = installed_migrations()
    opened = open_snapshot(path, graph)
    document = fit(opened, _world(opened.document, config).identity, graph, LoadRules(may_migrate=True)).document
    write_snapshot(output, document)
    _print({"path": str(output), "applied": list(document.migrations[len(opened.document.migrations) :])})


def print_replay(root: Path, run_id: str | None, config: Path | None, *, must_compare: bool) -> bool:
    """Live through a log again, print what came of it, and return whether it holds.

    Raises:
        UnknownName: There is no log.
        DioramaError: It cannot be read, or is of another configuration.
    """
    chosen = run_id or latest_run(root)
    known = segments(journal_folder(root, chosen))
    if not known:
        raise ConfigError(f"run {chosen!r} of {root} kept no log")
    world = load_world(known[0].header.world)
    request = LogRequest(world=world, config=_config(world, config), config_path=config, root=root, run_id=chosen)
    try:
        replayed = replay_log(request)
    except ReplayDiverged as error:
        _print({"run_id": chosen, "holds": False, "message": str(error)})
        return False
    holds = replayed.hashes_compared > 0 or not must_compare
    _print(
        {
            "run_id": chosen,
            "holds": holds,
            "segments": len(known),
            "ticks": replayed.ticks,
            "commands": replayed.commands,
            "hashes_compared": replayed.hashes_compared,
        }
    )
    return holds


def _checked(path: Path, config: Path | None, *, is_strict: bool) -> Loadable:
    graph = installed_migrations()
    opened = open_snapshot(path, graph)
    world = _world(opened.document, config)
    rules = LoadRules(may_migrate=not is_strict, require_exact_config=is_strict)
    fitted = fit(opened, world.identity, graph, rules)
    if is_strict:
        _load(world, fitted.document)
    return fitted


def _load(world: LiveWorld, document: SnapshotDocument) -> None:
    body = document.body.get("world")
    if not isinstance(body, dict):
        raise SnapshotCorrupt("the snapshot has no 'world'")
    world.load(body)
    found = hash_hex(world.state_hash())
    if found != document.state_hash:
        raise SnapshotCorrupt(f"the state hashes to {found}; the snapshot says {document.state_hash}")


def _world(document: SnapshotDocument, config: Path | None) -> LiveWorld:
    world = load_world(document.world)
    chosen = _config(world, config)
    return live_offer(world, chosen).open(chosen, config, document.identity.seed)


def _config(world: World[WorldConfig], path: Path | None) -> WorldConfig:
    return parse_config(world.id, world.config_type, {} if path is None else read_mapping(path))


def _print(value: JsonObject) -> None:
    typer.echo(json.dumps(value, indent=1))
