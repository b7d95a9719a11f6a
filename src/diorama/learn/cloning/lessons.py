"""From stored episodes to demonstrations: what is learned from, and what is held out to judge by."""

from collections.abc import Sequence
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import WorldSpec
from diorama.learn.cloning.datasets.episode import Episode
from diorama.learn.cloning.demonstrations import Demonstrations, as_demonstrations
from diorama.learn.cloning.recording import Recording, Tracks
from diorama.learn.keyed import permutation
from diorama.learn.policies.policy import Policy
from diorama.learn.streams import DEMONSTRATIONS

_HOLD_OUT: Final = 1 << 32  # beside the updates that also draw from the stream of demonstrations
_NEGLIGIBLE: Final = 0.02  # weight of what is missing from a return that counts as known


def hold_out(episodes: Sequence[Episode], share: float, *, seed: int) -> tuple[list[Episode], list[Episode]]:
    """Return the episodes to learn from and those to judge by; whole ones, for neighboring frames are nearly alike.

    Raises:
        ConfigError: There are too few to do both.
    """
    held = max(1, round(share * len(episodes)))
    if held >= len(episodes):
        raise ConfigError(f"{len(episodes)} episodes are too few to hold a share of {share:g} of them out")
    order: list[int] = permutation(seed, DEMONSTRATIONS, _HOLD_OUT, 0, len(episodes)).tolist()
    chosen = set(order[:held])
    return (
        [episode for place, episode in enumerate(episodes) if place not in chosen],
        [episode for place, episode in enumerate(episodes) if place in chosen],
    )


def demonstrations_of(
    episodes: Sequence[Episode], spec: WorldSpec, policy: Policy, *, sequence_length: int, gamma: float
) -> Demonstrations:
    """Return episodes as demonstrations.

    They are laid end to end and cut into sequences; those that begin in the midst of an episode begin without memory.

    Args:
        episodes: Of one world.
        spec: Its contract.
        policy: Who is to learn from them.
        sequence_length: Decisions a policy with memory is trained through.
        gamma: Discount of the returns.
    """
    length = sequence_length if policy.memory_width else 1
    recording = Recording(spec, _tracks(episodes, spec, length))
    return as_demonstrations(recording, policy, length=length, gamma=gamma, most_missing=_NEGLIGIBLE)


def _tracks(episodes: Sequence[Episode], spec: WorldSpec, length: int) -> Tracks:
    total = sum(len(episode) for episode in episodes)
    sequences = -(-total // length)
    tracks = Tracks.empty(spec, rows=1, steps=sequences * length)
    first = 0
    for episode in episodes:
        here = slice(first, first + len(episode))
        tracks.obs[here, 0], tracks.masks[here, 0] = episode.rows, episode.masks
        tracks.actions[here, 0] = episode.actions
        tracks.starts[first, 0] = 1
        tracks.alive[here, 0] = 1
        tracks.rewards[here, 0] = episode.rewards
        tracks.terminated[here, 0] = episode.dones != 0
        tracks.truncated[here.stop - 1, 0] = not episode.is_finished
        first = here.stop
    return tracks
