"""Seeds of battles."""

from diorama.worlds.tidebreak.limits import SEED_MAX


def battle_seed(episode_seed: int) -> int:
    """Return the package seed of an episode: 64 bits brought into 1 to 2^53 - 1."""
    return 1 + episode_seed % 2**64 % SEED_MAX
