"""`Hindsight`: an episode taken once more, to show what its seats saw on the way."""

from diorama.runs.replays.scene import Scene
from diorama.server.play.session import Session


class Hindsight:
    """Follows one session; it begins anew where decisions were taken back or an earlier one is asked for."""

    def __init__(self) -> None:
        """Follow nothing yet."""
        self._scene: Scene | None = None
        self._steps = 0
        self._rewrites = 0

    def before(self, session: Session, step: int) -> Scene:
        """Return the episode as it stood before one of its decisions; it stands there until the next call."""
        if step == session.steps:
            return session.scene
        if self._scene is None or self._rewrites != session.rewrites or step < self._steps:
            self.close()
            self._scene = Scene(session.setting.venue, session.seed)
            self._steps, self._rewrites = 0, session.rewrites
        while self._steps < step:
            self._scene.step(session.decided(self._steps))
            self._steps += 1
        return self._scene

    def close(self) -> None:
        """Free the copy."""
        if self._scene is not None:
            self._scene.close()
            self._scene = None
