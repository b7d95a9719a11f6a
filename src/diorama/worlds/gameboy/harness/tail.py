"""The last instructions before a mismatch, from running the last step once more, one instruction at a time."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import TierUnavailable
from diorama.native import load_native
from diorama.worlds.gameboy.boot import BootMode, boot_stub
from diorama.worlds.gameboy.codec import get_action_codec
from diorama.worlds.gameboy.disassembler import Decoded, disassemble_one, opcode_alone
from diorama.worlds.gameboy.harness.subjects import STUB_BAD, RomUnderTest
from diorama.worlds.gameboy.lanes import Lanes, open_lanes
from diorama.worlds.gameboy.schedule import PressSchedule

TAIL: Final = 256
SHOWN_BYTES: Final = 0x8000  # the two banks that are mapped at power-on
_INTERPRETED: Final = {"rust": "rust", STUB_BAD: "rust"}  # all others are generated, and have an interpreted twin


def trace_tail(dut: str, rom: RomUnderTest, before: bytes, action: int, schedule: PressSchedule) -> list[str]:
    """Run one step again from a snapshot and list its last instructions, `TAIL` of them.

    Args:
        dut: Backend whose step it was.
        rom: What ran.
        before: Snapshot from before the step.
        action: What was pressed.
        schedule: Frames of the step, and when its keys went up.
    """
    lanes = _interpreter(dut, rom)
    lanes.restore(0, before)
    frames = _frames(lanes, action, schedule)
    rows: list[NDArray[np.int64]] = []
    missing = TAIL
    for snapshot, instructions in reversed(frames):
        lanes.restore(0, snapshot)
        traced = lanes.trace(0, instructions)
        rows.insert(0, traced[-missing:])
        missing -= len(rows[0])
        if missing <= 0:
            break
    return [trace_line(row, rom) for row in np.concatenate(rows)] if rows else []


def _interpreter(dut: str, rom: RomUnderTest) -> Lanes:
    try:
        return open_lanes(_INTERPRETED.get(dut, "py"), rom.image, 1, boot=rom.boot)
    except TierUnavailable:
        return open_lanes("rust", rom.image, 1, boot=rom.boot)


def _frames(lanes: Lanes, action: int, schedule: PressSchedule) -> Sequence[tuple[bytes, int]]:
    """Snapshot before each frame of a step, and the instructions that the frame executes."""
    keys = get_action_codec().to_joypad_mask(action)
    frames = []
    for frame in range(schedule.frames_per_step):
        if schedule.is_pressed(frame):
            lanes.press(0, *keys)
        else:
            lanes.press(0, 0, 0)
        snapshot, begun = lanes.snapshot(0), int(lanes.field("instr_count")[0])
        lanes.run_frames(1)
        frames.append((snapshot, int(lanes.field("instr_count")[0]) - begun))
    return frames


def trace_line(row: NDArray[np.int64], rom: RomUnderTest) -> str:
    """Show one row of a trace: T-cycles, instruction, registers.

    The operand bytes are read from the first 32 KiB of the ROM, where most code is, or from the boot stub; code in
    memory or in another bank shows its opcode, and names of operands in place of their values.
    """
    columns = load_native().gameboy_tables()["trace_columns"]
    told = dict(zip(columns, row.tolist(), strict=True))
    decoded = _instruction(told["pc"], told["opcode"], rom)
    registers = " ".join(f"{name.upper()}={told[name]:02X}" for name in ("a", "f", "b", "c", "d", "e", "h", "l"))
    flags = f"SP={told['sp']:04X} IME={told['ime']} IE={told['ie']:02X} IF={told['iflag']:02X}"
    return f"{told['cycle_count']:>12}  {decoded!s:<34}  {registers} {flags}"


def _instruction(address: int, opcode: int, rom: RomUnderTest) -> Decoded:
    stub = b"" if rom.boot is BootMode.POST else boot_stub(rom.boot)
    for code in (rom.cartridge.rom[:SHOWN_BYTES], stub):
        if code[address : address + 1] == bytes([opcode]):
            return disassemble_one(code[address : address + 3], address)
    return opcode_alone(opcode, address)
