"""What the rewards of one env remember from step to step."""

from dataclasses import dataclass, field

from diorama.worlds.morphogenesis.contributions.ledger import InteractionLedger
from diorama.worlds.morphogenesis.rewards.suspicion import SuspicionWatch
from diorama.worlds.morphogenesis.rewards.types import FossilizedSeedDripState


@dataclass(slots=True, kw_only=True)
class RewardMemory:
    """Accounts of one episode.

    Attributes:
        escrow: Credit paid so far for each seed that is not permanent yet, by seed id.
        drips: What is still owed for permanent seeds.
        pending: Hindsight credit of the next step, by the seed it is owed to.
        contributing: Permanent seeds that were worth it when they became so.
        ledger: Which slot made which other one better.
        watch: Suspicions told so far.
    """

    escrow: dict[str, float] = field(default_factory=dict)
    drips: tuple[FossilizedSeedDripState, ...] = ()
    pending: dict[str, float] = field(default_factory=dict)
    contributing: set[str] = field(default_factory=set)
    ledger: InteractionLedger = field(default_factory=InteractionLedger)
    watch: SuspicionWatch = field(default_factory=SuspicionWatch)

    @property
    def num_contributing(self) -> int:
        """Number of permanent seeds that were worth it."""
        return len(self.contributing)

    @property
    def pending_credit(self) -> float:
        """What earlier decisions add to the reward of this step."""
        return sum(self.pending.values())

    def forget(self, seed_id: str, slot_id: str) -> None:
        """Close every account of a seed that is gone."""
        self.escrow.pop(seed_id, None)
        self.pending.pop(seed_id, None)
        self.contributing.discard(seed_id)
        self.drips = tuple(drip for drip in self.drips if drip.seed_id != seed_id)
        self.ledger.forget(slot_id)
