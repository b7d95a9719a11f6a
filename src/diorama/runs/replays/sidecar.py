"""`{replay_id}.meta.json`: what is known about a replay beside its frames."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from diorama.contracts.errors import DocumentError
from diorama.runs.documents import Document, RawObject, read_document
from diorama.runs.replays.entry import Fork

MEMBER_FRAMES: Final = 256  # frames per gzip member
MAX_MEMBER_FRAMES: Final = 1 << 16  # of a sidecar that is read

_Offset: TypeAlias = Annotated[int, Meta(ge=0, lt=1 << 62)]


class PlayerKind(StrEnum):
    """Who chose the actions of a seat."""

    CHECKPOINT = "checkpoint"
    BOT = "bot"
    ACTIONS = "actions"
    HUMAN = "human"


class PlayerFacts(Document, frozen=True, kw_only=True):
    """Who played a seat; a checkpoint is named by its path in the run and the SHA-256 of its bytes."""

    kind: PlayerKind
    name: str
    checkpoint_path: str | None = None
    sha256: str | None = None
    deterministic: bool


class Sidecar(Document, frozen=True, kw_only=True, omit_defaults=True):
    """Everything that is needed to play the recorded episode again, and to find a frame in its file.

    Attributes:
        seed: Episode seed.
        policy: Who played, in a world of one seat.
        policies: Who played each seat, in a world of several.
        initial_render_state: The opening, before the first frame.
        actions_sha256: Over the actions, each as compact JSON on a line of its own.
        member_offsets: Byte offset of the gzip member that holds frame `member_frames * j`.
        forked_from: The replay this one continues, and its last common frame.
    """

    schema_version: Literal[1] = 1
    replay_id: str
    run_id: str
    world: str
    interface_version: str
    config: RawObject
    config_hash: str
    seed: int
    policy: PlayerFacts | UnsetType = UNSET
    policies: list[PlayerFacts] | UnsetType = UNSET
    initial_render_state: RawObject
    frame_count: Annotated[int, Meta(ge=0, lt=1 << 40)]
    actions_sha256: str
    member_frames: Annotated[int, Meta(ge=1, le=MAX_MEMBER_FRAMES)]
    member_offsets: list[_Offset]
    forked_from: Fork | UnsetType = UNSET

    @property
    def players(self) -> list[PlayerFacts]:
        """Who played, seat by seat."""
        if isinstance(self.policies, list):
            return self.policies
        return [] if isinstance(self.policy, UnsetType) else [self.policy]


def read_sidecar(path: Path, replay_id: str, *, within: Path | None = None) -> Sidecar:
    """Read the sidecar of a replay.

    Args:
        path: Of the sidecar.
        replay_id: What it must be about.
        within: The folder that it must lie in, without links on the way; its own one unless given.

    Raises:
        UnknownName: There is none.
        DocumentError: It is broken, or contradicts itself.
    """
    sidecar = read_document(path, Sidecar, within=within)
    if sidecar.replay_id != replay_id:
        raise DocumentError(f"{path}: is about {sidecar.replay_id!r}; it must be about {replay_id!r}")
    members = -(-sidecar.frame_count // sidecar.member_frames)
    if len(sidecar.member_offsets) != members or sorted(set(sidecar.member_offsets)) != sidecar.member_offsets:
        raise DocumentError(
            f"{path}: member_offsets must be {members} growing numbers for {sidecar.frame_count} frames "
            f"of {sidecar.member_frames} each"
        )
    return sidecar
