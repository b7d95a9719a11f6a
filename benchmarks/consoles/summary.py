"""What a run amounts to, beside the goals."""

from typing import Final

from consoles.plan import LADDER
from consoles.setting import ROMS
from diorama.contracts.values import JsonObject, JsonValue

GOAL_PER_CORE: Final = 3.0
GOAL_DIVERGENCE: Final = 0.4
GOAL_DEVICE: Final = 4_000_000
GOAL_DEVICE_DIVERGENT: Final = 1_500_000


def number(row: JsonObject, name: str) -> float:
    """Read a figure of a row."""
    value = row[name]
    assert isinstance(value, int | float)
    return float(value)


def _best(results: list[JsonObject], **wanted: JsonValue) -> float | None:
    rates = [
        number(row, "frames_per_sec")
        for row in results
        if all(row.get(name) == value for name, value in wanted.items())
    ]
    return max(rates, default=None)


def summarize(cores: list[JsonObject], results: list[JsonObject]) -> JsonObject:
    """Relate the sides to one another."""
    full = {
        side: _best(results, rom=LADDER["E4"], stage="full_step", backend=side)
        for side in ("rust", "pyboy", "warp_cuda")
    }
    device, baseline = full["warp_cuda"], full["pyboy"]
    mix = _ratio_of_the_mix(cores)
    return {
        "per_core_ratio_of_the_mix": mix,
        "per_core_ratio_least": min((number(row, "ratio") for row in cores), default=None),
        "goal_per_core": GOAL_PER_CORE,
        "divergent_share_of_control": {side: _divergent_share(results, side) for side in ("rust", "warp_cuda")},
        "goal_divergence": GOAL_DIVERGENCE,
        "device_best_by_rom": {name: _best(results, rom=name, stage="full_step", backend="warp_cuda") for name in ROMS},
        "goal_device": GOAL_DEVICE,
        "goal_device_divergent": GOAL_DEVICE_DIVERGENT,
        "full_step_best_frames_per_sec": dict(full),
        "device_ratio_to_pyboy": None if device is None or not baseline else device / baseline,
        "pass": mix is None or mix >= GOAL_PER_CORE,
    }


def _ratio_of_the_mix(cores: list[JsonObject]) -> float | None:
    """As if every ROM ran for the same number of frames, one after another."""
    if not cores:
        return None
    spent = {side: sum(1.0 / number(row, f"{side}_frames_per_sec") for row in cores) for side in ("rust", "pyboy")}
    return spent["pyboy"] / spent["rust"]


def _divergent_share(results: list[JsonObject], backend: str) -> float | None:
    keys, control = (_best(results, experiment=name, backend=backend) for name in ("E2", "E2 control"))
    return None if not keys or not control else keys / control
