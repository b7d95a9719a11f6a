"""Teachers: what a scripted baseline, the world's own controller or another policy would choose, row by row."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch

from diorama.contracts.bots import BatchedBot
from diorama.contracts.buffers import Buffers
from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import WorldSpec
from diorama.learn.envs import ExtraArrays, HasEpisodeSeeds, HasExpert, TrainingEnvs
from diorama.learn.keyed_random import DrawKey
from diorama.learn.policies.distributions import ActionSampling
from diorama.learn.policies.heads import option_probabilities
from diorama.learn.policies.policy import Policy


@dataclass(frozen=True, slots=True)
class TeacherViews:
    """What a teacher says of one decision of all rows, on the CPU.

    Attributes:
        choices: Rows × heads, int32.
        probabilities: Rows × options of all heads, given the choices; None for a teacher that only chooses.
    """

    choices: torch.Tensor
    probabilities: torch.Tensor | None = None


class Teacher(Protocol):
    """Chooses for all rows of some copies, from what these rows observe; used by one thread at a time."""

    def teach(self, envs: TrainingEnvs, buffers: Buffers, out: TeacherViews, key: DrawKey | None = None) -> None:
        """Write the choices for the current observations; call it once per decision.

        Args:
            envs: The copies.
            buffers: What they wrote last; rows whose episode has just begun are forgotten first.
            out: Receives the choices.
            key: Of the draws of a teacher that samples; None takes the most likely option.
        """

    def memories(self) -> torch.Tensor:
        """Return what the teacher remembers of each row, rows × numbers."""

    def load_memories(self, memories: torch.Tensor) -> None:
        """Go on from what `memories` returned; zeros may be appended to every row.

        Raises:
            SnapshotError: These are no memories of such a teacher.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class TeacherMaker:
    """Makes a teacher for any number of rows.

    Attributes:
        make: Returns the teacher of a world's rows.
        has_probabilities: Whether it knows how likely it takes each option.
    """

    make: Callable[[WorldSpec, int], Teacher]
    has_probabilities: bool = False


class ScriptedTeacher:
    """A scripted baseline."""

    def __init__(self, bot: BatchedBot, agents: int) -> None:
        """Ask a bot; `agents` is the number of seats of a copy."""
        self._bot = bot
        self._agents = agents

    def teach(self, envs: TrainingEnvs, buffers: Buffers, out: TeacherViews, key: DrawKey | None = None) -> None:
        """Write the bot's choices."""
        opened: list[int] = np.flatnonzero(buffers.episode_start).tolist()
        if opened:
            assert isinstance(envs, HasEpisodeSeeds), "copies of a world with bots have episode seeds"
            self._bot.reset(opened, [envs.episode_seed(row // self._agents) for row in opened])
        out.choices.copy_(torch.from_numpy(self._bot.act(buffers.obs, buffers.obs_u8, buffers.masks)))

    def memories(self) -> torch.Tensor:
        """Return what the bot remembers of each row."""
        return torch.from_numpy(self._bot.memories())

    def load_memories(self, memories: torch.Tensor) -> None:
        """Go on from what `memories` returned."""
        self._bot.load_memories(memories.numpy())


class ExpertTeacher:
    """The world's own controller, which goes by the state of the copies."""

    def __init__(self, rows: int) -> None:
        """Remember nothing of so many rows."""
        self._rows = rows

    def teach(self, envs: TrainingEnvs, buffers: Buffers, out: TeacherViews, key: DrawKey | None = None) -> None:
        """Write the controller's choices."""
        if not isinstance(envs, HasExpert):
            raise ConfigError("these copies have no controller of their own to learn from", code="expert_missing")
        out.choices.copy_(torch.from_numpy(envs.expert_actions()))

    def memories(self) -> torch.Tensor:
        """Return nothing for each row."""
        return torch.zeros(self._rows, 0)

    def load_memories(self, memories: torch.Tensor) -> None:
        """Do nothing: the copies know everything."""


@dataclass(slots=True)
class TeacherPolicy:
    """The policy that all `PolicyTeacher`s of a run ask; may be replaced between rollouts."""

    policy: Policy


class PolicyTeacher:
    """Another policy: its whole distribution, and choices drawn from it."""

    def __init__(self, source: TeacherPolicy, spec: WorldSpec, rows: int) -> None:
        """Begin without memories."""
        self._source = source
        self._has_mask = spec.has_mask
        self._log_probs = torch.zeros(rows, len(spec.heads))
        self._noise_free = (0.0,) * len(spec.heads)
        self._memory = torch.zeros(rows, source.policy.memory_width)

    @torch.inference_mode()
    def teach(self, envs: TrainingEnvs, buffers: Buffers, out: TeacherViews, key: DrawKey | None = None) -> None:
        """Write choices, and the probabilities of all options given the choices that they depend on."""
        policy = self._source.policy
        starts = torch.from_numpy(buffers.episode_start)[None]
        obs, obs_u8 = torch.from_numpy(buffers.obs), torch.from_numpy(buffers.obs_u8)
        features, self._memory = policy.features(obs, obs_u8, self._memory, starts)
        masks = torch.from_numpy(buffers.masks) if self._has_mask else None
        extras = {}
        if isinstance(envs, ExtraArrays):
            extras = {name: torch.from_numpy(envs.extra(name)) for name in policy.heads.plan.mask_extras}
        sampling = ActionSampling(exploration=self._noise_free, key=key)
        policy.heads.sample(features.actor, masks, extras, sampling, actions=out.choices, log_probs=self._log_probs)
        if out.probabilities is not None:
            out.probabilities.copy_(
                option_probabilities(policy.heads, features.actor, masks, extras, out.choices, self._noise_free)
            )

    def memories(self) -> torch.Tensor:
        """Return the recurrent state of each row."""
        return self._memory.clone()

    def load_memories(self, memories: torch.Tensor) -> None:
        """Go on from a recurrent state."""
        self._memory = memories.clone()


def stack_memories(parts: list[torch.Tensor]) -> torch.Tensor:
    """Return the memories of several teachers below one another; narrower ones get zeros appended."""
    width = max(part.shape[1] for part in parts)
    return torch.cat([torch.nn.functional.pad(part, (0, width - part.shape[1])) for part in parts])
