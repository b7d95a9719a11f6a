"""A recorded file of events, read back: episodes by group and the fates of seeds by blueprint."""

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean

from diorama.contracts.errors import ContractError, DocumentError
from diorama.contracts.values import JsonObject
from diorama.storage.artifact_files import open_named
from diorama.storage.json_text import decode_json
from diorama.storage.line_files import MAX_FILE_BYTES, MAX_LINE_BYTES
from diorama.worlds.morphogenesis.contracts.events import EVENT_PAYLOADS, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.analysis import EpisodeOutcomePayload
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import (
    SeedFossilizedPayload,
    SeedGerminatedPayload,
    SeedPrunedPayload,
)
from diorama.worlds.morphogenesis.contracts.profiling import PhaseProfileReport

READ_KINDS = frozenset(
    {
        TelemetryEventType.EPISODE_OUTCOME,
        TelemetryEventType.SEED_GERMINATED,
        TelemetryEventType.SEED_FOSSILIZED,
        TelemetryEventType.SEED_PRUNED,
        TelemetryEventType.PHASE_PROFILE_COMPLETED,
    }
)


@dataclass(slots=True)
class BlueprintFate:
    """What became of the seeds of one blueprint."""

    planted: int = 0
    permanent: int = 0
    pruned: int = 0

    @property
    def success(self) -> float:
        """Share of planted seeds that became permanent; 0 where none was planted."""
        return self.permanent / self.planted if self.planted else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupOutcome:
    """The episodes of one group. Accuracies are percent, the gain is over the control twins."""

    group_id: str
    episodes: int
    mean_accuracy: float
    mean_gain: float | None
    mean_param_ratio: float
    mean_reward: float


@dataclass(slots=True, kw_only=True)
class Recording:
    """Everything a file says; `malformed` lines could not be read, `others` are the platform's own events."""

    lines: int = 0
    malformed: int = 0
    others: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    outcomes: dict[str, list[EpisodeOutcomePayload]] = field(default_factory=lambda: defaultdict(list))
    fates: dict[str, BlueprintFate] = field(default_factory=lambda: defaultdict(BlueprintFate))
    phase_ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, line: bytes | str) -> None:
        """Read one line."""
        self.lines += 1
        try:
            document = decode_json(line, dict, where="an event")
            if "schema_version" in document and "group_id" not in document:
                self.others += 1
                return
            kind = TelemetryEventType[document["event_type"]]
            payload = EVENT_PAYLOADS[kind].from_dict(document["data"]) if kind in READ_KINDS else None
            group_id = str(document["group_id"])
        except (DocumentError, ValueError, KeyError, TypeError, AttributeError, ContractError):
            self.malformed += 1
            return
        self.counts[kind.name] += 1
        self._note(group_id, payload)

    def groups(self) -> tuple[GroupOutcome, ...]:
        """Return the episodes by group, in the order of their first end."""
        return tuple(_group(group_id, outcomes) for group_id, outcomes in self.outcomes.items())

    def blueprints(self) -> dict[str, BlueprintFate]:
        """Return the fates of seeds by blueprint, in alphabetical order."""
        return dict(sorted(self.fates.items()))

    def phases(self) -> dict[str, float]:
        """Return the mean wall time of every phase of an epoch in milliseconds, where it was told."""
        return {name: fmean(times) for name, times in self.phase_ms.items()}

    def to_json(self) -> JsonObject:
        """Return all of it as a document."""
        return {
            "lines": self.lines,
            "malformed": self.malformed,
            "others": self.others,
            "events": dict(self.counts),
            "groups": [asdict(group) for group in self.groups()],
            "blueprints": {name: asdict(fate) for name, fate in self.blueprints().items()},
            "phases": self.phases(),
        }

    def _note(self, group_id: str, payload: Payload | None) -> None:
        match payload:
            case EpisodeOutcomePayload():
                self.outcomes[group_id].append(payload)
            case PhaseProfileReport():
                for name, timing in payload.phases.items():
                    self.phase_ms[name].append(timing.wall_ms)
            case SeedGerminatedPayload():
                self.fates[payload.blueprint_id].planted += 1
            case SeedFossilizedPayload():
                self.fates[payload.blueprint_id].permanent += 1
            case SeedPrunedPayload() if payload.blueprint_id is not None:
                self.fates[payload.blueprint_id].pruned += 1


def read_recording(path: Path) -> Recording:
    """Read a file of events, one per line."""
    recording = Recording()
    with open_named(path, most_bytes=MAX_FILE_BYTES) as file:
        for line in iter(lambda: file.readline(MAX_LINE_BYTES), b""):
            recording.add(line)
    return recording


def _group(group_id: str, outcomes: list[EpisodeOutcomePayload]) -> GroupOutcome:
    gains = [
        outcome.final_accuracy - outcome.control_accuracy
        for outcome in outcomes
        if outcome.control_accuracy is not None
    ]
    return GroupOutcome(
        group_id=group_id,
        episodes=len(outcomes),
        mean_accuracy=fmean(outcome.final_accuracy for outcome in outcomes),
        mean_gain=fmean(gains) if gains else None,
        mean_param_ratio=fmean(outcome.param_ratio for outcome in outcomes),
        mean_reward=fmean(outcome.episode_reward for outcome in outcomes),
    )
