"""`Origin`: the replay that a session continues."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A replay, and the last frame that the session has in common with it; -1 for its opening."""

    run_id: str
    replay_id: str
    frame: int

    def not_after(self, frame: int) -> "Origin":
        """Return the origin of a session that was taken back to this frame."""
        return replace(self, frame=min(self.frame, frame))
