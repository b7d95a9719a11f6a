"""Seeds that earn more than they can have brought: told, never paid or punished."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from diorama.worlds.morphogenesis.contracts.payloads.health import RewardHackingSuspectedPayload
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig
from diorama.worlds.morphogenesis.rewards.op_shaping import is_ransomware
from diorama.worlds.morphogenesis.rewards.types import ContributionRewardInputs, LiveSeedInput

Pattern = Literal["attribution_ratio", "ransomware"]


class Suspicion(NamedTuple):
    """A suspicion to tell; critical ones are seeds that hold the host to ransom."""

    payload: RewardHackingSuspectedPayload
    is_critical: bool


@dataclass(slots=True)
class SuspicionWatch:
    """Watches the seeds of one env; the same seed is told of once in some epochs for each pattern."""

    last_told: dict[tuple[str, Pattern], int] = field(default_factory=dict)

    def reset(self) -> None:
        """Begin an episode."""
        self.last_told.clear()

    def look(self, inputs: ContributionRewardInputs) -> tuple[Suspicion, ...]:
        """Return what is suspicious in this step and was not told lately."""
        config = inputs.config or ContributionRewardConfig()
        told = []
        for seed in inputs.live_seeds:
            for suspicion in _suspicions(seed, config):
                key = (seed.seed_id, suspicion.payload.pattern)
                last = self.last_told.get(key)
                if last is None or inputs.epoch - last >= config.suspicion_interval_epochs:
                    self.last_told[key] = inputs.epoch
                    told.append(suspicion)
        return tuple(told)


def _suspicions(seed: LiveSeedInput, config: ContributionRewardConfig) -> Iterator[Suspicion]:
    contribution, reference = seed.contribution, seed.seed_info.counterfactual_total_improvement
    if contribution is None or reference is None:
        return
    if reference > config.ratio_min_improvement_pp and contribution / reference > config.ratio_threshold:
        payload = RewardHackingSuspectedPayload(
            pattern="attribution_ratio",
            slot_id=seed.slot_id,
            seed_id=seed.seed_id,
            seed_contribution=contribution,
            total_improvement=reference,
            ratio=contribution / reference,
            threshold=config.ratio_threshold,
        )
        yield Suspicion(payload, is_critical=False)
    if is_ransomware(contribution, reference, config):
        payload = RewardHackingSuspectedPayload(
            pattern="ransomware",
            slot_id=seed.slot_id,
            seed_id=seed.seed_id,
            seed_contribution=contribution,
            total_improvement=reference,
            contribution_threshold=config.ransomware_contribution_pp,
            degradation_threshold=config.ransomware_degradation_pp,
        )
        yield Suspicion(payload, is_critical=contribution >= config.ransomware_critical_pp)
