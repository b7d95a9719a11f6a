"""What can be asked of one console of an environment, and what all of them have in common."""

from typing import Final

from diorama.contracts.spec import ActionHead, ObservationField
from diorama.contracts.values import U8
from diorama.worlds.gameboy.canonical import ABI_VERSION, SCALAR_FIELDS
from diorama.worlds.gameboy.codec import ActionCodec, get_action_codec
from diorama.worlds.gameboy.config import GameboyConfig
from diorama.worlds.gameboy.contract import describe
from diorama.worlds.gameboy.envs.starts import rom_of
from diorama.worlds.gameboy.lanes import Lanes

_CPU_STATE: Final = (
    *("pc", "sp", "a", "f", "b", "c", "d", "e", "h", "l", "ime", "halted", "ie"),
    *("cycle_count", "instr_count", "trap_kind", "trap_pc", "trap_opcode"),
)
_FLAGS: Final = (("z", 7), ("n", 6), ("h", 5), ("c", 4))


class ConsoleCalls:
    """Calls about one lane; they wait for the device."""

    def __init__(self, config: GameboyConfig, host: Lanes) -> None:
        """Ask these lanes."""
        self.config = config
        self.host = host
        self.num_envs = host.lanes

    @property
    def action_codec(self) -> ActionCodec:
        """What actions mean."""
        return get_action_codec(self.config.action_codec_id)

    @property
    def num_actions(self) -> int:
        """How many actions there are."""
        return self.action_codec.num_actions

    @property
    def frames_per_step(self) -> int:
        """Frames of a step."""
        return self.config.frames_per_step

    @property
    def release_after_frames(self) -> int:
        """Frames after which the keys go up."""
        return self.config.release_after_frames

    @property
    def obs_spec(self) -> tuple[ObservationField, ...]:
        """Fields of the observation."""
        return describe(self.config).observation

    @property
    def action_spec(self) -> ActionHead:
        """The one choice of a step."""
        return describe(self.config).heads[0]

    @property
    def rom_sha256(self) -> str:
        """Hash of the cartridge."""
        return rom_of(self.config).sha256

    @property
    def abi_version(self) -> int:
        """Version of the canonical state."""
        return ABI_VERSION

    def get_cpu_state(self, lane: int) -> dict[str, int | dict[str, int]]:
        """Registers, flags, interrupt state, counters and trap of a lane, as plain integers."""
        state = dict(zip(SCALAR_FIELDS, self.host.state(lane).tolist(), strict=True))
        flags = {flag: state["f"] >> bit & 1 for flag, bit in _FLAGS}
        return {**{name: state[name] for name in _CPU_STATE}, "if": state["iflag"], "flags": flags}

    def read_memory(self, lane: int, lo: int, hi: int) -> bytes:
        """Read `lo` up to but not including `hi`: raw, with the banks as they are."""
        return self.host.read_memory(lane, lo, hi)

    def read_frame(self, lane: int) -> U8:
        """Copy the last picture of a lane, in the observed format."""
        return self.host.read_frame(lane)

    def read_serial(self, lane: int) -> bytes:
        """Read what a lane has sent on its serial port."""
        return self.host.read_serial(lane)

    def save_state(self, lane: int) -> bytes:
        """Pack a lane as a savestate; any backend can load it."""
        return self.host.snapshot(lane)

    def load_state(self, lane: int, data: bytes) -> None:
        """Continue a lane from a savestate; the episode it is in goes on counting."""
        self.host.restore(lane, data)
