"""Records the artifacts of this version: `python -m tests.upgrade.record`.

Everything is written by the code that users run, into `artifacts/VERSION` beside this file, with what it must come to
in `expected.json`.
"""

import json
import shutil
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

import diorama
from diorama.contracts.values import JsonObject
from diorama.engine.batch import Batch
from diorama.engine.players import bot_contender
from diorama.engine.venue import Venue, open_venue
from diorama.learn.imitation.datasets import write_dataset
from diorama.learn.policies.export import PolicyStep, onnx_metadata, write_onnx
from diorama.learn.policies.policy import Policy
from diorama.learn.settings import NormalizationSettings, PolicySettings
from diorama.runs.clock import SystemClock
from diorama.runs.layout import run_layout
from diorama.runs.replays.record import record_episode
from diorama.runs.writer import create_run
from diorama.snapshots import hash_hex
from diorama.training.callbacks.progress import NoProgress
from diorama.training.run import train
from diorama.worlds.gameboy.lanes import open_lanes
from diorama.worlds.gameboy.roms.catalogue import assemble
from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.resolve import read_package, resolve
from tests.learn.imitation.episodes import PLAN, recorded_episodes
from tests.operate.live.runtimes import command, open_live_world
from tests.runs.factories import bot_plan, metadata
from tests.training.small_runs import small_plan
from tests.upgrade.sweeps import record_sweep
from tests.worlds.tidebreak.samples import demo

ARTIFACTS = Path(__file__).parent / "artifacts"
SMALL: dict[str, object] = {
    "world": "prospector",
    "config": {"time_max": 300.0},
    "steps": 2048,
    "copies": 2,
    "seed": 11,
    "windows": {"env_steps": 512},
    "checkpoints": {"every_windows": 2},
    "evaluation": {"replays_per_window": 1, "max_steps_per_episode": 12, "closing_episodes": 0},
    "policy": {"arch": "mlp-8-tanh-v1"},
    "ppo": {"rollout_steps": 64, "num_minibatches": 2, "update_epochs": 1},
    "normalization": {"observations": True, "rewards": "return_std"},
    "execution": {"lane_copies": 2, "shard_rows": 64},
    "telemetry": {"jsonl": True, "ppo_ndjson": True},
}
BOTS: dict[str, tuple[str, dict[str, object]]] = {
    "prospector": ("prudent_hauler", {}),
    "townlet": ("scripted", {}),
    "tidebreak": ("ambusher", {}),
    "gameboy": ("random", {}),
    "morphogenesis": ("random", {}),
}
EXPORTS = {
    "plain": ("prospector", "mlp-8-gelu-v1"),
    "recurrent": ("prospector", "mingru-8-v1"),
    "lstm": ("prospector", "lstm-8-v1"),
    "branches": ("townlet", "branches-lstm-8-v1"),
    "heads": ("tidebreak", "mlp-8-relu-separate-v1"),
}
LIVE_TOWN: dict[str, object] = {"world": {"population": 3}}
FRAMES = 6
STEPS = 4


def main() -> int:
    """Record everything; refuse to write over what is there."""
    folder = ARTIFACTS / diorama.__version__
    if folder.exists():
        print(f"{folder} exists already; artifacts of a version are recorded once", file=sys.stderr)
        return 2
    expected: dict[str, Any] = {}
    try:
        expected["runs"] = record_runs(folder / "runs")
        expected["snapshots"] = record_snapshots(folder / "snapshots")
        expected["live"] = record_live(folder / "live")
        expected["savestate"] = record_savestate(folder / "savestate.gbst")
        expected["battles"] = record_battles(folder / "battles")
        expected["exports"] = record_exports(folder / "exports")
        record_sweep(folder / "sweep")
        write_dataset(folder / "datasets", PLAN, recorded_episodes(3))
        (folder / "expected.json").write_text(json.dumps(expected, indent=1, sort_keys=True) + "\n", "utf-8")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder.relative_to(Path.cwd())}: {size / 1024:.0f} KiB")
    return 0


def record_runs(root: Path) -> JsonObject:
    """Train two small runs, and record a replay of every world."""
    for run_id, changes in (("trained", {}), ("played", {"backend": "random", "copies": 1})):
        plan = small_plan(SMALL, **changes)
        train(plan, root, run_id, progress=NoProgress(), stop=Event(), clock=SystemClock())
    replays = {}
    for world, (bot, config) in BOTS.items():
        replays[world] = _record_replay(root, open_venue(world, config, threads=1), bot)
    return {"replays": replays}


def _record_replay(root: Path, venue: Venue, bot: str) -> str:
    run_id = f"of-{venue.spec.world}"
    told = metadata(run_id, world=venue.spec.world, interface_version=venue.spec.interface_version)
    with create_run(root, told, {"world": venue.spec.world}, SystemClock()):
        pass
    player = bot_contender(venue.world, bot).start(venue.spec, venue.spec.agents)
    plan = bot_plan(bot, max_steps=FRAMES, players=bot_plan(bot).players * venue.spec.agents)
    entry = record_episode(run_layout(root, run_id), venue, player, 7, plan, clock=SystemClock())
    return entry.replay_id


def record_snapshots(folder: Path) -> JsonObject:
    """Save every world after a few steps, with what the next steps lead to."""
    folder.mkdir(parents=True)
    return {world: _record_snapshot(folder / f"{world}.bin", world) for world in BOTS}


def _record_snapshot(path: Path, world: str) -> JsonObject:
    with closing(diorama.make(world, copies=1, seed=5, threads=1)) as batch:
        batch.reset()
        take_noops(batch, STEPS)
        path.write_bytes(batch.snapshot(0))
        saved = hash_hex(batch.state_hash(0))
        take_noops(batch, STEPS)
        return {"saved": saved, "later": hash_hex(batch.state_hash(0))}


def take_noops(batch: Batch, steps: int) -> None:
    """Step without doing anything."""
    for _ in range(steps):
        batch.step(np.tile(np.array(batch.spec.noop, np.int32), (batch.rows, 1)))


def record_live(root: Path) -> JsonObject:
    """Leave a live town as a killed process does: an autosave, the log since, and a named snapshot."""
    live = open_live_world(root, "townlet", config=LIVE_TOWN, seed=5, autosave_ticks=20, run_id="town")
    live.run_ticks(25)
    command(live, "price", "meal_cost", 0.7, cmd_id="a")
    live.save("named")
    named = hash_hex(live.world.state_hash())
    live.run_ticks(7)
    kept: JsonObject = {"tick": live.world.clock.tick, "state": hash_hex(live.world.state_hash()), "named": named}
    for path in [*root.rglob("*.lock"), *(root / "logs").rglob("*")]:
        if path.is_file():
            path.unlink()
    return kept


def record_savestate(path: Path) -> JsonObject:
    """Save a Game Boy in the middle of a game."""
    lanes = open_lanes("rust", assemble("CATCH"), 1)
    lanes.run_frames(40)
    path.write_bytes(lanes.snapshot(0))
    lanes.run_frames(20)
    return {"rom": "CATCH", "later": hash_hex(lanes.state_hash(0))}


def record_battles(folder: Path) -> JsonObject:
    """Write a package, the same resolved, and a campaign on its tenth day."""
    folder.mkdir(parents=True)
    resolved = resolve(read_package(demo()).package)
    (folder / "package.json").write_text(json.dumps(demo()), "utf-8")
    (folder / "resolved.json").write_bytes(resolved.document)
    campaign = Campaign(seed=3, player=None)
    campaign.advance(10)
    campaign.save(folder / "campaign.json")
    campaign.advance(5)
    return {"resolved_sha256": resolved.sha256, "campaign_day_15": json.loads(campaign.to_text())["sha256"]}


def record_exports(folder: Path) -> JsonObject:
    """Export an untrained policy of every kind, with what it answers to one row of zeros."""
    folder.mkdir(parents=True)
    return {kind: _record_export(folder / f"{kind}.onnx", *named) for kind, named in EXPORTS.items()}


def _record_export(path: Path, world: str, arch: str) -> JsonObject:
    spec = open_venue(world, {}).spec
    settings = PolicySettings.model_validate({"arch": arch, "actor_gain": 1.0})
    step = PolicyStep(Policy(spec, settings, NormalizationSettings(), seed=5).eval(), spec)
    write_onnx(step, path, onnx_metadata(step, {"world": world, "interface_version": spec.interface_version}))
    return {"probabilities": answer_to_zeros(path)}


def answer_to_zeros(path: Path) -> Sequence[float]:
    """Return the first probabilities that an exported policy gives a row of zeros in which everything is allowed."""
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    kinds = {
        "tensor(float)": np.float32,
        "tensor(uint8)": np.uint8,
        "tensor(int64)": np.int64,
        "tensor(bool)": np.bool_,
    }
    seen: dict[str, Any] = {
        item.name: np.full([1, *item.shape[1:]], item.name == "mask", kinds[item.type]) for item in session.get_inputs()
    }
    (probabilities,) = session.run(["probabilities"], seen)
    return [round(float(value), 6) for value in probabilities.ravel()[:8]]


if __name__ == "__main__":
    sys.exit(main())
