"""Who decides: what every controller takes and gives."""

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32
from diorama.worlds.morphogenesis.controller.choices import Action
from diorama.worlds.morphogenesis.controller.masks import ActionMasks
from diorama.worlds.morphogenesis.controller.reports import EnvReport

Actions = NDArray[np.int64]
"""One action per env, envs × eight heads."""


Decider = Literal["policy", "rules", "human", "wait"]
"""Who decides for an env: whoever plays the batch, the rules, an operator op by op, or nobody."""


class Controller(Protocol):
    """Decides for all envs at once. An env at epoch 1 is in a new episode, and nothing of the last one counts."""

    def decide(self, obs: F32, masks: ActionMasks, reports: Sequence[EnvReport]) -> Actions:
        """Return one action per env, from what the envs show and what their masks allow."""


def stack(actions: Sequence[Action]) -> Actions:
    """Return the actions of all envs as one array."""
    return np.array(actions, np.int64)
