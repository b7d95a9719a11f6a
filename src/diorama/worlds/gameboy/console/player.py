"""`LaneConsole`: one lane that a person plays, frame by frame."""

from typing import Final

from diorama.contracts.consoles import ConsoleInspection
from diorama.worlds.gameboy.boot import BootMode
from diorama.worlds.gameboy.canonical import SCALAR_FIELDS
from diorama.worlds.gameboy.cartridge import Cartridge
from diorama.worlds.gameboy.codec import DEFAULT_ACTION_CODEC_ID
from diorama.worlds.gameboy.console.inspection import inspect_lane
from diorama.worlds.gameboy.console.packing import pack_shades
from diorama.worlds.gameboy.lanes import open_lanes
from diorama.worlds.gameboy.savestate import Savestate, pack_savestate, unpack_savestate

KEYS: Final = ("right", "left", "up", "down", "a", "b", "select", "start")
_LANE: Final = 0
_DPAD_BITS: Final = 4
_NO_TRAP: Final = 0


class LaneConsole:
    """One lane of the native tier; keys are held, not pressed anew with every frame."""

    def __init__(self, cartridge: Cartridge, boot: BootMode) -> None:
        """Switch it on.

        Raises:
            TierUnavailable: The native core does not load.
        """
        self._cartridge = cartridge
        self._boot = boot
        self._lanes = open_lanes("rust", cartridge.rom, 1, boot=boot, picture="shade_full")

    @property
    def frame_count(self) -> int:
        """Frames since power-on."""
        return self._fields()["frame_count"]

    @property
    def trap(self) -> str | None:
        """Why the processor has stopped."""
        fields = self._fields()
        if fields["trap_kind"] == _NO_TRAP:
            return None
        return f"the processor stopped at ${fields['trap_pc']:04X}: ${fields['trap_opcode']:02X} is no instruction"

    def run(self, keys: int, frames: int) -> None:
        """Run frames with keys held."""
        self._lanes.press(_LANE, keys & 0xF, keys >> _DPAD_BITS)
        self._lanes.run_frames(frames)

    def picture(self) -> bytes:
        """Return the last frame, packed."""
        return pack_shades(self._lanes.read_frame(_LANE)).tobytes()

    def restart(self) -> None:
        """Switch it off and on again."""
        self._lanes.power_cycle()

    def save(self) -> bytes:
        """Return a savestate."""
        return pack_savestate(
            Savestate(
                rom_sha256=self._cartridge.sha256,
                boot=self._boot,
                action_codec_id=DEFAULT_ACTION_CODEC_ID,
                mbc_kind=self._cartridge.kind,
                scalars=self._fields(),
                ram=self._lanes.ram(_LANE).tobytes(),
                cram=self._lanes.cram(_LANE).tobytes(),
                serial=self._lanes.read_serial(_LANE),
            )
        )

    def load(self, data: bytes) -> None:
        """Go on from a savestate; a frame is run ahead for its picture and taken back.

        Raises:
            SavestateError: The bytes are no savestate of this ROM.
            CodecMismatch: It was made with another action codec.
        """
        unpack_savestate(data, rom_sha256=self._cartridge.sha256, action_codec_id=DEFAULT_ACTION_CODEC_ID)
        blob = _blob(data)
        self._lanes.restore(_LANE, blob)
        self._lanes.run_frames(1)
        self._lanes.restore(_LANE, blob)

    def inspect(self) -> ConsoleInspection:
        """Look inside."""
        return inspect_lane(self._lanes, self._fields())

    def _fields(self) -> dict[str, int]:
        return dict(zip(SCALAR_FIELDS, self._lanes.state(_LANE).tolist(), strict=True))


def _blob(savestate: bytes) -> bytes:
    """Return what follows the header of a sound savestate: a lane as the native tier packs it."""
    opening, header = 12, int.from_bytes(savestate[8:12], "little")
    return savestate[opening + header :]
