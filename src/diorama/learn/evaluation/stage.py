"""`Stage`: the same copies under every reward profile, stepped with the same actions."""

from collections.abc import Sequence

from diorama.contracts.values import F32, I32
from diorama.engine.batch import Batch
from diorama.learn.evaluation.venue import Venue


class Stage:
    """A batch that is played and, in lockstep, a twin for each reward profile that is not its own.

    Rewards never feed back into a world, so twins that see the same seeds and actions live through the same
    episodes and differ in nothing but their rewards.

    Attributes:
        batch: The batch that is played.
    """

    def __init__(self, venue: Venue, copies: int) -> None:
        """Make the batches; `reset` opens the episodes."""
        self.batch: Batch = venue.batch(venue.config, copies)
        self._by_profile = {
            name: self.batch if config == venue.config else venue.batch(config, copies)
            for name, config in venue.profile_configs().items()
        }
        self._twins = [batch for batch in self._by_profile.values() if batch is not self.batch]

    def reset(self, seeds: Sequence[int]) -> None:
        """Open one episode per copy."""
        for batch in (self.batch, *self._twins):
            batch.reset(seeds=seeds)

    def step(self, actions: I32) -> None:
        """Advance the batch and its twins."""
        for batch in (self.batch, *self._twins):
            batch.step(actions)

    def rewards(self) -> dict[str, F32]:
        """Return the rewards of the last step by profile; the arrays are reused by the next one."""
        return {name: batch.rewards for name, batch in self._by_profile.items()}

    def close(self) -> None:
        """Free the copies."""
        for batch in (self.batch, *self._twins):
            batch.close()
