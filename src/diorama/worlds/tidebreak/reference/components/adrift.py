"""What is in a battle beside units: munitions and storms."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Munition:
    """A salvo, torpedo, missile, charge, mine or decoy; a salvo stays at (x, y), where it was fired.

    `target_layers` has bit `1 << layer`, `remaining` is in seconds, `run` in meters. `fired_event` is not hashed.
    """

    id: int
    kind: int
    weapon_code: int
    owner_id: int
    team: int
    x: float
    y: float
    heading: float
    speed: float
    launch_layer: int
    target_layers: int
    aim_x: float
    aim_y: float
    lock_id: int
    remaining: float
    run: float
    rounds: int
    spread: float
    damage: float
    armed_at: int
    search: bool
    fired_event: int = field(default=0, metadata={"service": True})


@dataclass(slots=True)
class Storm:
    """A storm, as it stands."""

    x: float
    y: float
    vx: float
    vy: float
    radius: float
    intensity: float
    profile: int
    ends_at_tick: int
