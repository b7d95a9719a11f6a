"""Start states that a run begins with: of a bot's episodes, and of replays that are simulated again."""

from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.config import WorldConfig, config_hash
from diorama.contracts.errors import ConfigError, ReplayDiverged, UnknownName
from diorama.engine.make import make_batch
from diorama.engine.players import BotPlayer
from diorama.learn.settings.starts import StartSource, StartsSettings
from diorama.learn.start_library import StartLibrary
from diorama.rng import mix64
from diorama.runs.layout import RunLayout
from diorama.runs.replays.index import read_index
from diorama.runs.replays.reader import ReplayReader, open_entry, open_replay
from diorama.runs.replays.rerun import rerun_frame
from diorama.runs.replays.scene import Scene
from diorama.runs.replays.verify import replay_venue
from diorama.training.compatibility import config_in_cycle, demonstrating_bot, first_overlay
from diorama.training.plan import TrainingPlan

_FRAMES: Final = ".jsonl.gz"


def open_start_replays(plan: TrainingPlan, starts: StartsSettings) -> list[ReplayReader]:
    """Return the replays whose states a run begins with.

    Raises:
        UnknownName: There is no such replay, or the run has none.
        DocumentError: It is broken.
        ConfigError: It is of another world or configuration.
    """
    wanted = config_hash(plan.spec.interface_version, plan.spec.world, _config(plan))
    readers = [reader for path in starts.replays for reader in _readers(Path(path))]
    for reader in readers:
        if reader.sidecar.config_hash != wanted:
            raise ConfigError(
                f"starts.replays: {reader.path} is of another world or configuration than the run; leave it out",
                code="start_replay_of_another_configuration",
                path=str(reader.path),
            )
    return readers


def fill_library(plan: TrainingPlan, starts: StartsSettings, library: StartLibrary) -> str:
    """Add the states of demonstrations and replays to a library, and return one line about them.

    Raises:
        ReplayDiverged: A replay does not come out as it was recorded.
    """
    if StartSource.DEMONSTRATIONS in starts.sources:
        _add_demonstrations(plan, starts, library)
    for reader in open_start_replays(plan, starts):
        _add_replay(plan, starts, library, reader)
    counts = Counter(state.source.value for state in library.states)
    listed = ", ".join(f"{count:,} from {source}" for source, count in counts.items())
    return f"{len(library):,} start states: {listed}"


def _add_demonstrations(plan: TrainingPlan, starts: StartsSettings, library: StartLibrary) -> None:
    settings, world = plan.settings, plan.venue.world
    name = demonstrating_bot(plan.venue, settings)
    # The episodes that the bot demonstrates to a clone, not those that training begins with.
    seed = mix64(settings.seed)
    batch = make_batch(world, copies=starts.copies, config=_config(plan), seed=seed, tier=settings.tier)
    player = None if name == world.expert else BotPlayer(world.bots[name], batch.spec, batch.rows)
    batch.reset()
    opened = list(range(batch.rows))
    for step in range(-(-starts.decisions // batch.rows)):
        if player is not None:
            player.reset(opened, [batch.episode_seed(row // batch.spec.agents) for row in opened])
        is_open: NDArray[np.bool_] = batch.episode_start.reshape(batch.copies, -1) != 0
        for copy in range(-step % starts.every_decisions, batch.copies, starts.every_decisions):
            if not is_open[copy].all():
                library.add(batch.snapshot(copy), StartSource.DEMONSTRATIONS)
        batch.step(batch.expert_actions() if player is None else player.act(batch.obs, batch.obs_u8, batch.masks))
        opened = batch.episode_start.nonzero()[0].tolist()
    batch.close()


def _add_replay(plan: TrainingPlan, starts: StartsSettings, library: StartLibrary, reader: ReplayReader) -> None:
    scene = Scene(replay_venue(reader.sidecar, tier=plan.settings.tier), reader.sidecar.seed)
    for frame in reader.frames():
        rerun = rerun_frame(scene, frame, where=f"{reader.path} frame {frame.frame_index}")
        if rerun.divergence is not None:
            raise ReplayDiverged(
                f"starts.replays: {reader.path} cannot be simulated again: {rerun.divergence}",
                code="start_replay_diverged",
                path=reader.path,
            )
        if (frame.frame_index + 1) % starts.every_decisions == 0 and not scene.is_over:
            library.add(scene.snapshot(), StartSource.REPLAYS)
    scene.close()


def _readers(path: Path) -> list[ReplayReader]:
    """Open a replay by its file of frames, or all replays of a run by its directory."""
    if path.is_dir():
        layout = RunLayout(path)
        entries = read_index(layout).entries
        if not entries:
            raise UnknownName(
                f"starts.replays: {path} is no run with replays; name one, or a replay file (…{_FRAMES})",
                code="start_replays_missing",
                path=str(path),
            )
        return [open_entry(layout, entry) for entry in entries]
    return [open_replay(RunLayout(path.parent.parent), path.name.removesuffix(_FRAMES))]


def _config(plan: TrainingPlan) -> WorldConfig:
    return config_in_cycle(plan.venue, plan.settings, first_overlay(plan.venue, plan.settings), 0)
