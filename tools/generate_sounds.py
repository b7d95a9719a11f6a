"""Write the sound files of a world from the recipes in its audio manifest.

A recipe (`synth` of a cue) is a list of layers that are added up. A layer is a wave whose pitch glides from `from` to
`to` hertz, that starts after `at` seconds, fades in over `attack` seconds and falls away over the rest of `seconds`.

Usage: python tools/generate_sounds.py web/public/assets/prospector/audio_manifest.json
"""

import json
import math
import random
import sys
import wave
from array import array
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

RATE_HZ: Final = 22_050
PEAK: Final = 0.82  # of full scale, so that cues may overlap
_NOISE_SEED: Final = 1


class Layer(BaseModel):
    """One voice of a recipe."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    wave: Literal["sine", "triangle", "square", "saw", "noise"]
    start_hz: float = Field(alias="from", gt=0.0)
    stop_hz: float = Field(alias="to", gt=0.0)
    seconds: float = Field(gt=0.0, le=2.0)
    at: float = Field(default=0.0, ge=0.0)
    attack: float = Field(default=0.004, ge=0.0)
    decay: float = Field(default=2.0, gt=0.0)  # exponent of the fall; higher dies sooner
    gain: float = Field(default=1.0, gt=0.0)
    vibrato_hz: float = 0.0
    vibrato_share: float = 0.0


class Recipe(BaseModel):
    """How a cue is made."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    layers: tuple[Layer, ...] = Field(min_length=1)


def render(recipe: Recipe) -> "array[int]":
    """Return the samples of a recipe, 16-bit, mono, at `RATE_HZ`."""
    length = math.ceil(max(layer.at + layer.seconds for layer in recipe.layers) * RATE_HZ)
    mix = [0.0] * length
    for layer in recipe.layers:
        _add(mix, layer)
    loudest = max(abs(sample) for sample in mix) or 1.0
    return array("h", (round(sample / loudest * PEAK * 32_767) for sample in mix))


def write_wav(path: Path, samples: "array[int]") -> None:
    """Write one sound file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if sys.byteorder == "big":
        samples.byteswap()
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(samples.tobytes())


def generate(manifest_path: Path) -> list[Path]:
    """Write the files of every cue that has a recipe and return their paths."""
    manifest = json.loads(manifest_path.read_text(encoding="utf-8"))
    written = []
    for cue in manifest["cues"].values():
        if cue["synth"] is None:
            continue
        samples = render(Recipe.model_validate(cue["synth"]))
        base = manifest_path.parent / manifest["groups"][cue["group"]]["basePath"]
        for name in cue["files"]:
            write_wav(base / name, samples)
            written.append(base / name)
    return written


def _add(mix: list[float], layer: Layer) -> None:
    noise = random.Random(_NOISE_SEED)
    first, count = round(layer.at * RATE_HZ), round(layer.seconds * RATE_HZ)
    phase, held, glide = 0.0, 0.0, math.log(layer.stop_hz / layer.start_hz)
    for step in range(count):
        share = step / count
        hz = layer.start_hz * math.exp(glide * share)
        if layer.vibrato_hz:
            hz *= 1.0 + layer.vibrato_share * math.sin(math.tau * layer.vibrato_hz * step / RATE_HZ)
        before, phase = phase, phase + hz / RATE_HZ
        if layer.wave == "noise":
            # A low-passed hiss: the pitch is the corner of the filter.
            held += (noise.uniform(-1.0, 1.0) - held) * min(1.0, math.tau * hz / RATE_HZ)
            sample = held
        else:
            sample = _wave(layer.wave, before % 1.0)
        mix[first + step] += sample * layer.gain * _envelope(layer, step / RATE_HZ)


def _envelope(layer: Layer, time_s: float) -> float:
    if time_s < layer.attack:
        return time_s / layer.attack
    left = (layer.seconds - time_s) / max(1e-9, layer.seconds - layer.attack)
    return float(max(0.0, left) ** layer.decay)


def _wave(kind: str, phase: float) -> float:
    match kind:
        case "sine":
            return math.sin(math.tau * phase)
        case "triangle":
            return 4.0 * abs(phase - 0.5) - 1.0
        case "square":
            return 0.6 if phase < 0.5 else -0.6
        case _:
            return 0.8 * (2.0 * phase - 1.0)


def main(arguments: list[str]) -> int:
    """Run the tool; the only argument is the path of an audio manifest."""
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print(f"generate_sounds: give the path of one audio_manifest.json, not {arguments!r}", file=sys.stderr)
        return 2
    written = generate(Path(arguments[0]))
    print(f"{len(written)} sounds, {sum(path.stat().st_size for path in written) / 1024:.0f} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
