"""What an episode came to: its outcome and the topology that was grown."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from statistics import pvariance
from typing import Final

from diorama.contracts.values import canonical_json

STABILITY_WINDOW: Final = 20
TOPOLOGY_MANIFEST_VERSION: Final = 1


def stability_score(raw_rewards: Sequence[float]) -> float:
    """Return 1 for steady rewards and less the more the last twenty of them vary; 1 for none."""
    recent = raw_rewards[-STABILITY_WINDOW:]
    return 1.0 / (1.0 + pvariance(recent)) if recent else 1.0


@dataclass(slots=True, kw_only=True)
class EpisodeOutcome:
    """The result of one env's episode. `param_ratio` is total over host, 1 without growth; the reward is raw."""

    env_id: int
    episode_idx: int
    final_accuracy: float
    param_ratio: float
    num_fossilized: int
    num_contributing_fossilized: int
    episode_reward: float
    stability_score: float
    reward_mode: str
    timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))

    def dominates(self, other: "EpisodeOutcome") -> bool:
        """Say whether this is nowhere worse (accuracy, size, stability) and somewhere better."""
        mine = (self.final_accuracy, self.stability_score, -self.param_ratio)
        theirs = (other.final_accuracy, other.stability_score, -other.param_ratio)
        return mine != theirs and all(here >= there for here, there in zip(mine, theirs, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class TopologySlot:
    """One slot of a grown network."""

    slot_id: str
    blueprint_id: str
    operator: int
    gate_present: bool
    alpha: float
    stage: int
    parameters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TopologyManifest:
    """What a host has grown into; equal manifests have equal hashes."""

    task: str
    host_topology: str
    slot_config_hash: str
    slots: tuple[TopologySlot, ...]
    version: int = TOPOLOGY_MANIFEST_VERSION

    def canonical_json(self) -> str:
        """Write it with sorted keys and no spaces."""
        return canonical_json(asdict(self))

    def manifest_hash(self) -> str:
        """Return the SHA-256 of the canonical form."""
        return sha256(self.canonical_json().encode()).hexdigest()
