"""Envs that end a round well below what they usually reach."""

from collections import deque
from dataclasses import dataclass, field
from statistics import fmean
from typing import Final

from diorama.worlds.morphogenesis.contracts.payloads.health import PerformanceDegradationPayload
from diorama.worlds.morphogenesis.engine.round_end import RoundEnd

DROP_PERCENT: Final = 10.0
GRACE_SHARE: Final = 0.1
"""Share of a run in which nothing is said: averages of a few rounds are none."""
ROLLING_ROUNDS: Final = 10


@dataclass(slots=True)
class DeclineWatch:
    """Remembers the last final accuracies of every env, in percent."""

    accuracies: dict[int, deque[float]] = field(default_factory=dict)

    def look(self, ended: RoundEnd, *, batch: int, rounds: int) -> tuple[PerformanceDegradationPayload, ...]:
        """Return the envs that fell a tenth or more below their average, and count the round in."""
        progress = batch / max(1, rounds)
        found = []
        for episode in ended.episodes:
            known = self.accuracies.setdefault(episode.env_id, deque(maxlen=ROLLING_ROUNDS))
            usual = fmean(known) if known else 0.0
            drop = 100.0 * (usual - episode.final_accuracy) / usual if usual > 0.0 else 0.0
            if drop >= DROP_PERCENT and progress > GRACE_SHARE:
                found.append(
                    PerformanceDegradationPayload(
                        env_id=episode.env_id,
                        current_acc=episode.final_accuracy,
                        rolling_avg_acc=usual,
                        drop_percent=drop,
                        threshold_percent=DROP_PERCENT,
                        episode_idx=ended.round_index,
                        training_progress=progress,
                    )
                )
            known.append(episode.final_accuracy)
        return tuple(found)
