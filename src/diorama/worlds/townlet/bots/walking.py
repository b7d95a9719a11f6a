"""A player of primitives: finds its own way from an observation row, step by step."""

from dataclasses import dataclass, field
from typing import Final

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.worlds.townlet.bots.view import View
from diorama.worlds.townlet.codes import Primitive

_LOW: Final = 0.5
_NIGHT_LOW: Final = 0.8
_NIGHT_FROM: Final = 900
_NIGHT_UNTIL: Final = 200
_EARLY: Final = 20  # ticks of slack on the way to work
_AT_WORK: Final = 1  # steps from the workplace that still count as being there
_MOVES: Final = (
    (Primitive.MOVE_NORTH, 0, -1),
    (Primitive.MOVE_EAST, 1, 0),
    (Primitive.MOVE_SOUTH, 0, 1),
    (Primitive.MOVE_WEST, -1, 0),
)
_OPPOSITE: Final = {
    Primitive.MOVE_NORTH: Primitive.MOVE_SOUTH,
    Primitive.MOVE_EAST: Primitive.MOVE_WEST,
    Primitive.MOVE_SOUTH: Primitive.MOVE_NORTH,
    Primitive.MOVE_WEST: Primitive.MOVE_EAST,
}


@dataclass(slots=True)
class Way:
    """Where a citizen is going.

    Attributes:
        goal: A landmark; empty for none.
        steps_left: How far it was before the last step.
        heading: The last step.
        is_returning: Whether that took back the step before.
        led_away: Steps from this tile that led away.
    """

    goal: str = ""
    steps_left: int = 0
    heading: Primitive | None = None
    is_returning: bool = False
    led_away: set[Primitive] = field(default_factory=set)


class Walking:
    """Looks after its needs and goes to work, by the landmarks of the row.

    A row tells how far a landmark is, and only roughly in which direction. A step that led away is taken back, and not
    tried again from the same tile.
    """

    def __init__(self) -> None:
        """Stand somewhere."""
        self.reset(0)

    def reset(self, episode_seed: int) -> None:
        """Forget where the citizen was going."""
        self.memory = Way()

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        """Return a step toward what the citizen needs most, or the use of it where it stands there."""
        view = View(obs)
        if view.feature("affordance_progress") > 0.0 or int(mask.sum()) == 1:
            return (int(Primitive.WAIT),)
        goal = _goal_of(view)
        distance = view.steps_to(goal)
        if goal == "work" and distance <= _AT_WORK:
            return (int(Primitive.WAIT),)
        if distance == 0:
            return (int(_used(goal, mask)),)
        if mask[Primitive.RELEASE]:
            return (int(Primitive.RELEASE),)
        return (int(self._step(view, goal, distance, mask)),)

    def _step(self, view: View, goal: str, distance: int, mask: U8) -> Primitive:
        if goal != self.memory.goal:
            self.memory = Way(goal=goal, steps_left=distance)
        way = self.memory
        has_moved = way.heading is not None and view.feature("last_action_success") > 0.0
        if has_moved and way.heading is not None and not way.is_returning:
            if distance < way.steps_left:
                way.led_away.clear()
            else:
                way.led_away.add(way.heading)
                way.is_returning = True
                way.steps_left, way.heading = distance, _OPPOSITE[way.heading]
                return way.heading
        way.is_returning = False
        way.steps_left = distance
        blocked = set() if has_moved or way.heading is None else {way.heading}
        way.heading = self._chosen(view, goal, mask, blocked)
        return Primitive.WAIT if way.heading is None else way.heading

    def _chosen(self, view: View, goal: str, mask: U8, blocked: set[Primitive]) -> Primitive | None:
        """Go on as before where that led nearer, else as directly as the walls allow."""
        way, valid = self.memory, [move for move in _MOVES if mask[move[0]]]
        fresh = [move for move in valid if move[0] not in way.led_away | blocked] or valid
        if any(move[0] is way.heading for move in fresh) and not way.led_away:
            return way.heading
        dx, dy = view.feature(f"{goal}_dx"), view.feature(f"{goal}_dy")
        return max(fresh, key=lambda move: move[1] * dx + move[2] * dy)[0] if fresh else None


def _used(goal: str, mask: U8) -> Primitive:
    return Primitive.INTERACT_0 if goal != "home" and mask[Primitive.INTERACT_0] else Primitive.WAIT


def _goal_of(view: View) -> str:
    """Return the landmark a citizen should be at."""
    hunger, hygiene, energy = (view.feature(f"need_{need}") for need in ("hunger", "hygiene", "energy"))
    is_night = view.tod >= _NIGHT_FROM or view.tod < _NIGHT_UNTIL
    wanted = [
        (hunger, _LOW, "food"),
        (energy - (0.3 if is_night else 0.0), (_NIGHT_LOW - 0.3) if is_night else _LOW, "bed"),
        (hygiene, _LOW, "shower"),
    ]
    urgent = [(need, name) for need, least, name in wanted if need < least]
    has_job = view.feature("work_dist") > 0.0 or view.feature("on_shift") > 0.0
    is_due = has_job and view.ticks_to_shift <= _EARLY + view.steps_to_work
    if is_due and not any(need < _LOW / 2 for need, _ in urgent):
        return "work"
    if not urgent:
        return "home"
    name = min(urgent)[1]
    if name != "food":
        return name
    if view.home_meals > 0 or view.food_raw == 0:
        return "fridge" if view.home_meals > 0 else "till"
    return "stove"
