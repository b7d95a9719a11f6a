"""What a viewer draws of a console: its picture, its registers and the watched bytes."""

from base64 import b64encode
from typing import Final

from diorama.contracts.values import JsonObject
from diorama.worlds.gameboy.canonical import SCALAR_FIELDS
from diorama.worlds.gameboy.config import Kind
from diorama.worlds.gameboy.contract import RENDER_SCHEMA_VERSION
from diorama.worlds.gameboy.envs.episodes import Episodes
from diorama.worlds.gameboy.envs.pixels import pack
from diorama.worlds.gameboy.envs.starts import rom_of

REGISTERS: Final = (
    *("pc", "sp", "a", "f", "b", "c", "d", "e", "h", "l", "ime", "halted", "ie", "iflag"),
    *("cycle_count", "instr_count", "trap_kind", "trap_pc", "trap_opcode"),
)
_PLACES: Final = {name: SCALAR_FIELDS.index(name) for name in (*REGISTERS, "frame_count")}


def render_state(episodes: Episodes, lane: int) -> JsonObject:
    """Describe a lane as it is now."""
    config = episodes.config
    fields = episodes.lanes.state(lane)
    steps = int(episodes.steps[lane])
    left = 0 if config.kind is Kind.PIXELS else (config.max_steps - steps) * config.frames_per_step
    picture = pack(episodes.screen.shown(lane, episodes.stack.newest))
    return {
        "schema_version": RENDER_SCHEMA_VERSION,
        "headline": {
            "success": float(episodes.successes[lane]),
            "final_distance": float(episodes.distances[lane]),
        },
        "time": steps * config.frames_per_step,
        "time_remaining": left,
        "picture": b64encode(picture.tobytes()).decode(),
        "frame_count": int(fields[_PLACES["frame_count"]]),
        "registers": {name: int(fields[_PLACES[name]]) for name in REGISTERS},
        "watch": episodes.watched_names(lane),
        "rom": rom_of(config).name,
        "kind": config.kind.value,
        "stage": int(episodes.stages[lane]),
    }
