"""What a town's snapshot holds, record by record, under the names it is stored with."""

from dataclasses import dataclass
from typing import Any

from diorama.worlds.townlet.live.narrating.narrator import Narrator
from diorama.worlds.townlet.live.windows import PromotionWindow
from diorama.worlds.townlet.reference.state.chronicle import Chronicle
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.employment import EmploymentLedger
from diorama.worlds.townlet.reference.state.kpis import KpiWindow
from diorama.worlds.townlet.reference.state.ledgers import (
    EconomyState,
    EmbeddingPool,
    LifecycleLedger,
    LiveRules,
    QueueMetrics,
    SocialLedger,
)
from diorama.worlds.townlet.reference.state.objects import ObjectState
from diorama.worlds.townlet.reference.state.perturbations import PerturbationState
from diorama.worlds.townlet.reference.state.town import CustomName


@dataclass(slots=True)
class StoredStream:
    """A random stream; state and increment as 16 hex digits."""

    state: str
    inc: str
    draws: int


@dataclass(slots=True)
class StoredFile:
    """A file as it was read, one character for a byte."""

    name: str
    text: str


@dataclass(slots=True)
class StoredFiles:
    """The files a town was compiled from; the town file is told by its checksum alone, because it never changes."""

    town_sha256: str
    affordances: StoredFile
    perturbations: StoredFile | None


@dataclass(slots=True)
class Body:
    """What is stored, under these names; citizens by seat, objects by index."""

    seed: int
    tick: int
    next_number: int
    streams: dict[str, StoredStream]
    citizens: list[Citizen]
    objects: list[ObjectState]
    economy: EconomyState
    rules: LiveRules
    employment: EmploymentLedger
    lifecycle: LifecycleLedger
    embedding: EmbeddingPool
    perturbations: PerturbationState
    queues: QueueMetrics
    social: SocialLedger
    kpis: KpiWindow
    custom_names: dict[int, CustomName]
    chronicle: Chronicle
    promotion_window: PromotionWindow
    narrator: Narrator
    config: dict[str, Any]
    files: StoredFiles
