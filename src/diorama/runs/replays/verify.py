"""Simulates a replay again and says whether it comes out the same."""

from dataclasses import dataclass

from diorama.contracts.errors import DocumentError
from diorama.contracts.foreign_config import EVERY_FILE, FileAccess
from diorama.engine.tiers import AUTO
from diorama.engine.venue import Venue, open_foreign_venue
from diorama.runs.replays.frames import ActionDigest
from diorama.runs.replays.reader import ReplayReader
from diorama.runs.replays.recording import Progress
from diorama.runs.replays.rerun import (
    Divergence,
    compare_drifting,
    compare_loosely,
    compare_pictures,
    rerun_frame,
)
from diorama.runs.replays.scene import Scene
from diorama.runs.replays.sidecar import Sidecar


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What came of it.

    Attributes:
        replay_id: Which replay.
        frames: Frames that agree.
        hashes: How many of them carry a state hash.
        divergence: The first difference that may not be; None if there is none.
        drifted: The first number that is not the same, in a world whose numbers may drift a little; None where
            everything is exact.
    """

    replay_id: str
    frames: int
    hashes: int
    divergence: Divergence | None
    drifted: Divergence | None = None

    @property
    def is_faithful(self) -> bool:
        """Whether everything came out as recorded."""
        return self.divergence is None


def replay_venue(sidecar: Sidecar, *, tier: str = AUTO, files: FileAccess = EVERY_FILE) -> Venue:
    """Return where a replay was recorded: its world in its configuration.

    Raises:
        UnknownName: There is no such world here.
        ConfigError: The world does not take that configuration, or it names a module or a file that is not allowed.
        DocumentError: The replay is of another version of the world, or its configuration was changed.
    """
    source = f"replay {sidecar.replay_id!r}"
    venue = open_foreign_venue(sidecar.world, sidecar.config, source, files=files, tier=tier, threads=1)
    version = venue.spec.interface_version
    if sidecar.interface_version != version:
        raise DocumentError(
            f"replay {sidecar.replay_id!r} was recorded with {sidecar.interface_version}; this is {version}"
        )
    if sidecar.config_hash != venue.config_hash:
        raise DocumentError(
            f"replay {sidecar.replay_id!r} says its configuration hashes to {sidecar.config_hash}; "
            f"what it holds hashes to {venue.config_hash}"
        )
    return venue


def verify_replay(
    reader: ReplayReader,
    *,
    tier: str = AUTO,
    with_pictures: bool = False,
    files: FileAccess = EVERY_FILE,
    progress: Progress = lambda: None,
) -> Verification:
    """Simulate a replay from its seed, configuration and actions, and compare everything it recorded.

    Args:
        reader: The replay.
        tier: As in `diorama.make`.
        with_pictures: Whether every frame is drawn again and compared too, which is slow.
        files: Which files its configuration may name.
        progress: Told about every frame.

    Raises:
        DocumentError: The replay cannot be read, or not be simulated here.
    """
    sidecar = reader.sidecar
    scene = Scene(replay_venue(sidecar, tier=tier, files=files), sidecar.seed)
    limits = scene.venue.world.drift
    try:
        frames, hashes, drifted = 0, 0, _compare_opening(sidecar, scene)
        divergence = drifted
        if limits:
            divergence = compare_drifting(None, sidecar.initial_render_state, scene.render_state(), limits)
        digest = ActionDigest()
        for frame in reader.frames() if divergence is None else ():
            where = f"{reader.path} frame {frame.frame_index}"
            rerun = rerun_frame(scene, frame, where=where, with_picture=with_pictures)
            divergence = rerun.divergence
            if divergence is not None and limits and rerun.moment is not None:
                drifted = drifted or divergence
                divergence = compare_loosely(scene, frame, rerun.moment)
            if divergence is not None:
                break
            digest.add(frame.action)
            frames += 1
            hashes += isinstance(frame.state_hash, str)
            progress()
    finally:
        scene.close()
    return Verification(
        replay_id=sidecar.replay_id,
        frames=frames,
        hashes=hashes,
        divergence=divergence or _compare_digest(sidecar, digest),
        drifted=drifted,
    )


def _compare_opening(sidecar: Sidecar, scene: Scene) -> Divergence | None:
    return compare_pictures(None, "initial_render_state", sidecar.initial_render_state, scene.render_state())


def _compare_digest(sidecar: Sidecar, digest: ActionDigest) -> Divergence | None:
    recorded, rerun = sidecar.actions_sha256, digest.hexdigest()
    if recorded == rerun:
        return None
    return Divergence(frame=None, field="actions_sha256", recorded=recorded, rerun=rerun)
