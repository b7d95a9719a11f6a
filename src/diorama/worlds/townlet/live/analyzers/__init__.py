"""What the town watches of itself: one analyzer for every alert of its own."""

from typing import Final

from diorama.contracts.live.stability import Analyzer
from diorama.worlds.townlet.config.services.learning import Stability
from diorama.worlds.townlet.live.analyzers.conduct import LatenessSpike, OptionThrash, RewardVarianceSpike
from diorama.worlds.townlet.live.analyzers.frictions import AffordanceFailures, QueuePressure, RivalrySpike
from diorama.worlds.townlet.live.analyzers.hunger import StarvationSpike
from diorama.worlds.townlet.live.analyzers.ledgers import (
    EmbeddingReuse,
    ExitBacklog,
    ExitQueueOverflow,
    PerturbationUnfair,
)

CANARIES: Final = frozenset({StarvationSpike.name, OptionThrash.name})


def town_analyzers(rules: Stability) -> tuple[Analyzer, ...]:
    """All of them, with these thresholds until a tick is told with others."""
    return (
        StarvationSpike(rules),
        RewardVarianceSpike(rules),
        OptionThrash(rules),
        LatenessSpike(rules),
        AffordanceFailures(rules),
        QueuePressure(rules),
        RivalrySpike(rules),
        EmbeddingReuse(rules),
        ExitQueueOverflow(rules),
        ExitBacklog(rules),
        PerturbationUnfair(rules),
    )
