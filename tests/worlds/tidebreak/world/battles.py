"""Small battles that tests of the world fight."""

from typing import Any

from tests.worlds.tidebreak.samples import Document

LIMIT_S = 12


def _ship(ship_id: str, team: str, x: float, y: float, class_id: str = "cutter") -> Document:
    return {
        "ship_id": ship_id,
        "team_id": team,
        "class_id": class_id,
        "initial_state": {"x": x, "y": y, "heading": 0.0 if team == "blue" else 3.14},
    }


def skirmish(*, time_limit_s: int = LIMIT_S, **rules: Any) -> Document:
    """Two cutters a side, 3 km apart on calm water; listed so that package order is not the order of names."""
    return {
        "schema_version": "arena.v1",
        "battle_id": "skirmish",
        "seed": 5,
        "time_limit_s": time_limit_s,
        "rules": {"fields": False, **rules},
        "teams": [{"team_id": "blue", "name": "Blue"}, {"team_id": "red", "name": "Red"}],
        "map": {
            "bounds": {"min_x": -4000, "min_y": -4000, "max_x": 4000, "max_y": 4000},
            "bathymetry": {"kind": "uniform", "depth_m": 900},
            "weather": {"sea_state": 1, "visibility_km": 20},
        },
        "ships": [
            _ship("blue-z", "blue", -1500.0, 0.0),
            _ship("blue-a", "blue", -1500.0, 400.0),
            _ship("red-1", "red", 1500.0, 0.0),
            _ship("red-2", "red", 1500.0, 400.0),
        ],
    }
