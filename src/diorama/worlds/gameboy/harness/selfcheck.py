"""ROMs that judge themselves: their verdict in memory and on the serial port."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.contracts.errors import ConfigError
from diorama.worlds.gameboy.assembler.library import FAILED, FAILED_CHECK, PASSED, RESULT
from diorama.worlds.gameboy.harness.subjects import RomUnderTest
from diorama.worlds.gameboy.lanes import open_lanes

FRAMES: Final = 2000
_HELD_FRAMES: Final = 12
_LOOK_EVERY: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfVerdict:
    """What a ROM said about itself. `failed_check` is the number of the check that failed, 0 where none did."""

    passed: bool
    has_ended: bool
    failed_check: int
    serial: bytes

    def __str__(self) -> str:
        """Tell it in a few words."""
        if self.passed:
            return "passed"
        return f"failed check {self.failed_check}" if self.has_ended else "gave no verdict"


def check_itself(rom: RomUnderTest, dut: str, *, script: tuple[int, ...] = (), frames: int = FRAMES) -> SelfVerdict:
    """Run a ROM until it gives its verdict.

    Args:
        rom: A ROM that writes `$A1` or `$EE` to `$C000` and prints `PASS` or `FAIL nn`.
        dut: Backend that runs it; the oracle has its own tests.
        script: Actions that bring it there, each held for some frames.
        frames: How long to wait after the script.

    Raises:
        ConfigError: If there is no frame to run.
    """
    if frames < 1:
        raise ConfigError(f"frames is {frames}; it must be 1 or more")
    lanes = open_lanes(dut, rom.image, 1, boot=rom.boot)
    for action in script:
        for _ in range(_HELD_FRAMES):
            lanes.step(np.array([action], np.int32), 1, 1)
    result, waited = 0, 0
    while waited < frames and result not in (PASSED, FAILED):
        chunk = min(_LOOK_EVERY, frames - waited)
        lanes.run_frames(chunk)
        waited += chunk
        result = lanes.read_memory(0, RESULT, RESULT + 1)[0]
    lanes.run_frames(_LOOK_EVERY)  # the verdict is still being sent
    serial = lanes.read_serial(0)
    return SelfVerdict(
        passed=result == PASSED and serial.endswith(b"PASS"),
        has_ended=result in (PASSED, FAILED),
        failed_check=lanes.read_memory(0, FAILED_CHECK, FAILED_CHECK + 1)[0] if result == FAILED else 0,
        serial=serial,
    )
