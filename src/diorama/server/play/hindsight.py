"""`Hindsight`: an episode taken once more, to show what its seats saw on the way."""

from typing import Final

from diorama.runs.replays.scene import Scene
from diorama.server.play.errors import SessionConflict
from diorama.server.play.scene import Place, PlayScene
from diorama.server.play.session import Session
from diorama.server.play.undo import STRIDE

MOST_STEPS: Final = 20_000  # taken again for one answer


class Hindsight:
    """Follows one session; it begins anew where decisions were taken back or an earlier one is asked for."""

    def __init__(self, most_steps: int = MOST_STEPS) -> None:
        """Follow nothing yet; at most so many steps are taken again on the way to a decision."""
        self._most_steps = most_steps
        self._scene: PlayScene | None = None
        self._rewrites = 0

    def distance(self, session: Session, step: int) -> int:
        """Return how many steps must be taken again to stand before a decision."""
        if step >= session.steps:
            return 0
        place = self._shortcut(session, step)
        return step - (self._standing(session, step) if place is None else place.steps)

    def before(self, session: Session, step: int) -> Scene:
        """Return the episode as it stood before one of its decisions; it stands there until the next call.

        Raises:
            SessionConflict: It is too far from the opening, and from every decision that is at hand.
        """
        if step == session.steps:
            return session.scene
        distance = self.distance(session, step)
        if distance > self._most_steps:
            reached = step - distance + self._most_steps
            raise SessionConflict(
                f"decision {step} is {distance} steps from the nearest one at hand, and at most {self._most_steps} "
                f"are taken again for one answer; ask from {reached} on first"
            )
        scene = self._opened(session, step, self._shortcut(session, step))
        while scene.steps < step:
            scene.step(session.decided(scene.steps))
        return scene

    def close(self) -> None:
        """Free the copy."""
        if self._scene is not None:
            self._scene.close()
            self._scene = None

    def _opened(self, session: Session, step: int, place: Place | None) -> PlayScene:
        if self._scene is None or not self._follows(session) or (place is None and step < self._scene.steps):
            self.close()
            self._scene = PlayScene(session.setting.venue, session.seed)
            self._rewrites = session.rewrites
        if place is not None:
            self._scene.return_to(place)
        return self._scene

    def _follows(self, session: Session) -> bool:
        return self._scene is not None and self._rewrites == session.rewrites

    def _standing(self, session: Session, step: int) -> int:
        """Return from where the copy can go on to a decision; 0 where it must begin anew."""
        if self._scene is None or not self._follows(session) or step < self._scene.steps:
            return 0
        return self._scene.steps

    def _shortcut(self, session: Session, step: int) -> Place | None:
        """Return a place that is kept for undo, if it is worth going there."""
        place = session.kept_place(step)
        is_nearer = place is not None and place.steps > self._standing(session, step) + STRIDE
        return place if is_nearer else None
