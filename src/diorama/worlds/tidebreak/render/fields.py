"""Fields of the water and air as small pictures, where there is anything to see."""

from base64 import b64encode
from typing import Final

import numpy as np

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.tidebreak.codes import Layer
from diorama.worlds.tidebreak.reference.fields.constants import DYNAMIC_RULES, FIRST_DYNAMIC, Field
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.render.constants import FIELD_LEVEL

_SHOWN: Final = (Field.NOISE, Field.SMOKE, Field.TEMPERATURE, Field.SONAR_RETURN, Field.WAKE)
_BYTE_MAX: Final = 255


def field_pictures(battle: Battle) -> dict[str, JsonValue]:
    """Return each field in the layer where it is furthest from its default; what is at rest is left out."""
    if not battle.rules.fields or not battle.fields.brick_keys:
        return {}
    pictures: dict[str, JsonValue] = {}
    for shown in _SHOWN:
        picture = _picture(battle, shown)
        if picture is not None:
            pictures[shown.name] = picture
    return pictures


def _picture(battle: Battle, shown: Field) -> JsonObject | None:
    rule = DYNAMIC_RULES[shown - FIRST_DYNAMIC]
    usual = battle.map.temperature_c if shown is Field.TEMPERATURE else rule.default
    grids = [battle.fields.grid(shown, layer, FIELD_LEVEL) for layer in Layer]
    strengths = [float(np.abs(grid - np.float32(usual[layer])).max()) for layer, grid in enumerate(grids)]
    layer = int(np.argmax(strengths))
    if strengths[layer] < np.float32(rule.threshold):
        return None
    low, high = (usual[layer], usual[layer] + 50.0) if shown is Field.TEMPERATURE else (rule.low, rule.high)
    scaled = np.clip((grids[layer].astype(np.float64) - low) / (high - low), 0.0, 1.0)
    data = np.rint(scaled * _BYTE_MAX).astype(np.uint8).tobytes()
    return {"layer": layer, "low": low, "high": high, "data": b64encode(data).decode()}
