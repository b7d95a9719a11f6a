"""The envelope of live telemetry, version 0.3.0.

Field order is part of the format. `Snapshot` tells the whole state, `Diff` what changed since the message `base_seq`,
`Heartbeat` that a world is there though nothing happens.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

SCHEMA_VERSION: Final = "0.3.0"

Objects: TypeAlias = Sequence[Mapping[str, object]]
Folded: TypeAlias = Annotated[
    Mapping[str, int] | UnsetType, msgspec.Meta(description="Events told as a number only, by name.")
]


class Envelope(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What every message carries."""

    schema_version: Annotated[str, msgspec.Meta(pattern=r"^\d+\.\d+\.\d+$")] = SCHEMA_VERSION
    world: str
    run_id: str
    config_id: Annotated[str, msgspec.Meta(description="Effective id of the configuration.")]
    seq: Annotated[int, msgspec.Meta(ge=0, description="Message counter.")]
    payload_type: str
    tick: Annotated[int, msgspec.Meta(ge=0, description="Of the state described.")]
    day: Annotated[int, msgspec.Meta(ge=0)]
    tod: Annotated[int, msgspec.Meta(ge=0, description="Ticks since midnight; 0 in worlds without days.")]


class Snapshot(Envelope, kw_only=True, forbid_unknown_fields=True):
    """The whole state. It replaces whatever a reader knew."""

    payload_type: Literal["snapshot"] = "snapshot"
    state: Annotated[
        Mapping[str, object], msgspec.Meta(description="Blocks by name; members that are null are left out.")
    ]
    events: Objects
    narrations: Objects
    aggregated: Annotated[int, msgspec.Meta(ge=0, description="Ticks since the last message; 0 for a newcomer.")]
    folded: Folded = UNSET


class Diff(Envelope, kw_only=True, forbid_unknown_fields=True):
    """What changed. It applies to the state that the message `base_seq` left."""

    payload_type: Literal["diff"] = "diff"
    base_seq: Annotated[int, msgspec.Meta(ge=0, description="`seq` of the message it applies to.")]
    state: Annotated[Mapping[str, object], msgspec.Meta(description="JSON merge patch (RFC 7396) by block.")]
    events: Objects
    narrations: Objects
    aggregated: Annotated[int, msgspec.Meta(ge=0, description="Ticks folded into this message; 1 normally.")]
    folded: Folded = UNSET


class Heartbeat(Envelope, kw_only=True, forbid_unknown_fields=True):
    """No news. The next diff applies to it, as to any message."""

    payload_type: Literal["heartbeat"] = "heartbeat"


Message: TypeAlias = Snapshot | Diff | Heartbeat
