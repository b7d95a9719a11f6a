"""How the pairings end under the full rules: battles fought by scripts, counted, and held against their bands."""

from dataclasses import dataclass
from typing import Final

from diorama.worlds.tidebreak.fast import simulate
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios.lineup import TEAM_IDS
from diorama.worlds.tidebreak.scenarios.pairings import Pairing, pairing_package

SEEDS: Final = 60
FIRST_SEED: Final = 1000  # nothing was ever chosen by looking at how these seeds end
BAND: Final = 20.0  # percentage points to either side
MIRROR_SHARES: Final = (40.0, 60.0)  # percent of the decided battles that either side of a mirror may win


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Battles of one pairing.

    Attributes:
        won: By the left side.
        lost: By the left side.
        undecided: At the time limit, without a winner.
        length_s: Mean length of a battle.
    """

    won: int
    lost: int
    undecided: int
    length_s: float

    @property
    def battles(self) -> int:
        """How many were fought."""
        return self.won + self.lost + self.undecided

    @property
    def outcome(self) -> tuple[float, float, float]:
        """Percent won, lost and undecided."""
        won, lost, undecided = (100.0 * count / self.battles for count in (self.won, self.lost, self.undecided))
        return won, lost, undecided

    @property
    def decided_share(self) -> float:
        """Percent of the decided battles that the left side won; 50 where none was decided."""
        decided = self.won + self.lost
        return 100.0 * self.won / decided if decided else 50.0


def fight_pairing(pairing: Pairing, seeds: int = SEEDS, first_seed: int = FIRST_SEED) -> Tally:
    """Fight a pairing once per seed, counted from the first.

    Raises:
        TierUnavailable: When the native core does not load.
    """
    numbers = range(first_seed, first_seed + seeds)
    results = [simulate(resolve(pairing_package(pairing, seed))) for seed in numbers]
    winners = [result.winner_team_id for result in results]
    left, right = TEAM_IDS
    return Tally(
        won=winners.count(left),
        lost=winners.count(right),
        undecided=winners.count(None),
        length_s=sum(result.duration_s for result in results) / seeds,
    )


def complaints(pairing: Pairing, tally: Tally) -> list[str]:
    """What is out of band, one line each; nothing when the balance holds."""
    if pairing.is_mirror:
        least, most = MIRROR_SHARES
        share = tally.decided_share
        return [] if least <= share <= most else [f"{pairing.name}: {share:.0f}% for the left side of a mirror"]
    ends = zip(("won", "lost", "undecided"), pairing.outcome, tally.outcome, strict=True)
    return [
        f"{pairing.name}: {found:.0f}% {end}, expected {expected} ± {BAND:.0f}"
        for end, expected, found in ends
        if abs(found - expected) > BAND
    ]
