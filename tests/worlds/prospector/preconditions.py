"""The preconditions of every action, written down once more from the action table alone."""

from diorama.worlds.prospector.reference.state import State


def is_valid(state: State, action: int) -> bool:
    """Whether the action table allows an action in this state."""
    ship = state.ship
    at_station = ship.node == 0
    if action < 0 or action > 68:
        return False
    if action <= 5:
        return action < len(state.here.edges)
    if action in (6, 7, 11, 33):
        return True
    if action == 8:
        return len(state.here.asteroids) > 0
    if action in (9, 10, 28, 29, 30):
        return ship.selection >= 0
    if 12 <= action <= 27:
        slot = action - 12
        return slot < len(state.here.asteroids) and state.here.asteroids[slot].depletion < 1
    if action == 31:
        return ship.selection >= 0 and ship.stabilizers > 0
    if action == 32:
        return ship.cargo[0] + ship.cargo[1] > 0
    if action == 34:
        return ship.repair_kits > 0 and ship.tool < 100
    if action == 35:
        return ship.repair_kits > 0 and ship.hull < 100
    if 36 <= action <= 41:
        return ship.cargo[action - 36] > 0
    return at_station and _is_valid_at_station(state, action)


def _is_valid_at_station(state: State, action: int) -> bool:
    ship = state.ship
    if action in (42, 68):
        return True
    if action <= 60:
        return ship.cargo[(action - 43) // 3] > 0
    if action <= 63:
        return ship.credits >= (60, 120, 210)[action - 61] and ship.fuel < 1000
    if action == 64:
        return ship.credits >= 150 and ship.repair_kits < 12
    if action == 65:
        return ship.credits >= 175 and ship.stabilizers < 12
    if action == 66:
        return ship.credits >= 110 and ship.decoys < 12
    return ship.credits >= 280 and (ship.hull < 100 or ship.tool < 100)
