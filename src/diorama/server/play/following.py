"""`Follower`: takes the decisions of a session again, to show a policy with memory what the seat has seen."""

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

import numpy as np

from diorama.contracts.values import F32, I32, U8
from diorama.server.play.errors import SessionConflict
from diorama.server.play.hindsight import MOST_STEPS
from diorama.server.play.scene import PlayScene
from diorama.server.play.session import Session
from diorama.server.play.undo import MAX_UNDO, STRIDE

if TYPE_CHECKING:
    import torch

    from diorama.learn.policies.policy import Policy

_SEEN_AT_ONCE: Final = 256  # decisions a memory is led through with one call
_KEPT: Final = 2 * MAX_UNDO // STRIDE  # memories, at the places to which undo can return


class Follower:
    """Follows one session; what is taken back takes it back to the last memory it has kept, not to the opening."""

    def __init__(self, policy: "Policy", most_steps: int = MOST_STEPS) -> None:
        """Follow nothing yet."""
        self._policy = policy
        self._most_steps = most_steps
        self._scene: PlayScene | None = None
        self._seat = 0
        self._rewrites = 0
        self._memories: OrderedDict[int, torch.Tensor] = OrderedDict()

    def distance(self, session: Session) -> int:
        """Return how many decisions must be taken again."""
        return session.steps - self._reached(session)

    def memory_before(self, session: Session) -> "torch.Tensor":
        """Return the memory before the next decision.

        Raises:
            SessionConflict: There are too many decisions to look at for one answer; the next call goes on.
        """
        scene = self._stand(session)
        goal = min(session.steps, scene.steps + self._most_steps)
        while scene.steps < goal:
            stop = min(goal, _next_stop(scene.steps, goal))
            self._see(scene, [session.decided(step) for step in range(scene.steps, stop)])
        if goal < session.steps:
            raise SessionConflict(
                f"the policy has looked at {goal} of {session.steps} decisions, and looks at no more than "
                f"{self._most_steps} for one answer; ask again and it goes on"
            )
        return self._memories[scene.steps]

    def close(self) -> None:
        """Free the copy."""
        if self._scene is not None:
            self._scene.close()
            self._scene = None
        self._memories.clear()

    def _reached(self, session: Session) -> int:
        """Return up to which decision nothing must be taken again; 0 where it must begin anew."""
        if self._scene is None or self._seat != session.setting.seat:
            return 0
        kept = session.kept_since(self._rewrites)
        if self._scene.steps <= kept:
            return self._scene.steps
        place = session.kept_place(kept)
        return place.steps if place is not None and place.steps in self._memories else 0

    def _stand(self, session: Session) -> PlayScene:
        """Go where nothing must be taken again."""
        import torch

        reached = self._reached(session)
        if self._scene is None or reached == 0:
            self.close()
            self._scene = PlayScene(session.setting.venue, session.seed)
            self._seat = session.setting.seat
            self._memories[0] = torch.zeros(1, self._policy.memory_width)
        elif reached < self._scene.steps:
            place = session.kept_place(reached)
            assert place is not None, "the place was there a moment ago"
            self._scene.return_to(place)
            for later in [steps for steps in self._memories if steps > reached]:
                del self._memories[later]
        self._rewrites = session.rewrites
        return self._scene

    def _see(self, scene: PlayScene, decisions: list[I32]) -> None:
        import torch

        memory = self._memories[scene.steps]
        if scene.steps % STRIDE != 0:
            del self._memories[scene.steps]
        seen: list[tuple[F32, U8]] = []
        starts = torch.zeros(len(decisions), 1, dtype=torch.uint8)
        for place, rows in enumerate(decisions):
            starts[place] = self._seat in scene.arrivals
            obs, obs_u8, _ = scene.view
            seen.append((obs[self._seat].copy(), obs_u8[self._seat].copy()))
            scene.step(rows)
        floats, codes = (tensor_of(np.stack(rows)) for rows in zip(*seen, strict=True))
        _, self._memories[scene.steps] = self._policy.features(floats, codes, memory, starts)
        while len(self._memories) > _KEPT:
            self._memories.popitem(last=False)


def _next_stop(steps: int, goal: int) -> int:
    """Return how far to look at once: far, and near the goal from one place of undo to the next."""
    nearby = goal - MAX_UNDO - STRIDE
    return min(steps + _SEEN_AT_ONCE, nearby) if steps < nearby else (steps // STRIDE + 1) * STRIDE


def tensor_of(array: "np.ndarray[tuple[int, ...], np.dtype[np.generic]]") -> "torch.Tensor":
    """Return an array as a tensor."""
    import torch

    return torch.from_numpy(np.ascontiguousarray(array))
