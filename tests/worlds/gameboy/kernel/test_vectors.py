"""Single instructions of the kernel against the public vectors."""

from collections.abc import Callable
from typing import Any

import pytest

from diorama.worlds.gameboy.kernel.devices import Device, InterpreterDevice
from diorama.worlds.gameboy.kernel.flat_lanes import REGISTERS, FlatLanes
from diorama.worlds.gameboy.kernel.options import BuildOptions, Style
from diorama.worlds.gameboy.kernel.warp_device import WarpDevice
from tests.worlds.gameboy.kernel.running import needs_warp
from tests.worlds.gameboy.vectors import sm83_vectors

STOP, HALT, EI = "10", "76", "fb"
SLOT = 4


def wrong_vectors(open_device: Callable[[BuildOptions], Device], per_opcode: int, style: Style) -> list[str]:
    """Names of the vectors that come out otherwise; one lane per opcode."""
    vectors = {opcode: cases[:per_opcode] for opcode, cases in sm83_vectors().items() if opcode != STOP}
    lanes = FlatLanes(open_device, len(vectors), style)
    wrong = []
    for number in range(per_opcode):
        cases = [(opcode, each[number]) for opcode, each in vectors.items()]
        results = lanes.execute([(case["initial"], case["initial"]["ram"]) for _, case in cases])
        for (opcode, case), (registers, memory) in zip(cases, results, strict=True):
            wrong += [] if is_right(opcode, case, registers, memory) else [case["name"]]
    return wrong


def is_right(opcode: str, case: dict[str, Any], registers: dict[str, int], memory: dict[int, int]) -> bool:
    final = case["final"]
    names = REGISTERS if opcode != EI else REGISTERS[:-1]
    same = all(registers[name] == final[name] for name in names)
    same &= all(memory[address] == value for address, value in final["ram"])
    return same and (opcode == HALT or registers["cycles"] == SLOT * len(case["cycles"]))


def on_processor(options: BuildOptions) -> WarpDevice:
    return WarpDevice(options, "cpu")


def test_interpreted_instructions_come_out_as_on_hardware() -> None:
    assert not wrong_vectors(InterpreterDevice, 2, Style.GROUPED)


@pytest.mark.slow
@pytest.mark.parametrize("style", Style)
def test_all_vectors_come_out_interpreted(style: Style) -> None:
    assert not wrong_vectors(InterpreterDevice, 24, style)


@pytest.mark.slow
@needs_warp
@pytest.mark.parametrize("style", Style)
def test_all_vectors_come_out_compiled(style: Style) -> None:
    assert not wrong_vectors(on_processor, 24, style)
