"""Single instructions of the native core against the public vectors and against the instruction table."""

from typing import Any, Final

import pytest

from diorama.native import load_native
from diorama.worlds.gameboy.isa.table import Group, Instruction, instructions
from tests.worlds.gameboy.vectors import sm83_vectors

REGISTERS: Final = ("a", "f", "b", "c", "d", "e", "h", "l", "pc", "sp", "ime")
STOP, HALT, EI = "10", "76", "fb"
KINDS: Final = {"r-m": "read", "-wm": "write", "---": "idle"}


def step(vector: dict[str, Any]) -> tuple[dict[str, int], dict[int, int], list[tuple[int, int, str]]]:
    """Execute a vector's instruction; give registers, memory and slots."""
    initial = vector["initial"]
    memory = [(address, value) for address, value in initial["ram"]]
    registers, slots = load_native().gameboy_flat_step({name: initial[name] for name in REGISTERS}, memory)
    written = {address: value for address, value, kind in slots if kind == "write"}
    return registers, {**dict(memory), **written}, slots


def expected_slots(vector: dict[str, Any]) -> list[tuple[int, int, str]]:
    slots = [(address, value, KINDS[kind]) for address, value, kind in vector["cycles"]]
    return [slot if slot[2] != "idle" else (0, 0, "idle") for slot in slots]


def test_every_public_vector_comes_out_as_on_hardware() -> None:
    vectors = sm83_vectors()
    wrong = []

    for opcode, cases in vectors.items():
        for vector in cases if opcode != STOP else []:
            registers, memory, slots = step(vector)
            final = vector["final"]
            names = REGISTERS if opcode != EI else REGISTERS[:-1]
            is_right = all(registers[name] == final[name] for name in names)
            is_right &= all(memory[address] == value for address, value in final["ram"])
            is_right &= opcode == HALT or slots == expected_slots(vector)
            wrong += [] if is_right else [vector["name"]]

    assert not wrong
    assert sum(map(len, vectors.values())) >= 12_000


@pytest.mark.parametrize("flags", [pytest.param(0x00, id="flags-clear"), pytest.param(0xF0, id="flags-set")])
def test_every_instruction_has_the_length_and_time_of_the_table(flags: int) -> None:
    for row in (row for row in instructions() if row.is_legal and row.group is not Group.STOP):
        registers = dict.fromkeys(REGISTERS, 0) | {"pc": 0xC000, "sp": 0xD000, "h": 0xD1, "f": flags}
        memory = list(enumerate([*row.encoding, 0x40, 0x41], start=0xC000))

        after, slots = load_native().gameboy_flat_step(registers, memory)

        assert len(slots) == (row.m_cycles_taken if is_taken(row, flags) else row.m_cycles), row.mnemonic
        fetched = [address for address, _, kind in slots if kind == "read" and 0xC000 <= address < 0xC004]
        assert fetched == list(range(0xC000, 0xC000 + row.length)), row.mnemonic
        assert after["trap_kind"] == 0, row.mnemonic


def is_taken(row: Instruction, flags: int) -> bool:
    return {"none": True, "nz": flags == 0, "nc": flags == 0, "z": flags != 0, "c": flags != 0}[row.condition]


def test_illegal_opcodes_trap_where_they_stand() -> None:
    for row in (row for row in instructions() if row.group is Group.ILLEGAL):
        registers = dict.fromkeys(REGISTERS, 0) | {"pc": 0xC000}

        after, slots = load_native().gameboy_flat_step(registers, [(0xC000, row.opcode)])

        assert (after["trap_kind"], after["pc"], len(slots)) == (1, 0xC000, 1)


def test_ei_waits_one_instruction() -> None:
    registers = dict.fromkeys(REGISTERS, 0) | {"pc": 0xC000}

    after, _ = load_native().gameboy_flat_step(registers, [(0xC000, 0xFB)])

    assert (after["ime"], after["ei_delay"]) == (0, 1)


def test_missing_registers_are_named() -> None:
    with pytest.raises(ValueError, match="'sp'"):
        load_native().gameboy_flat_step({"pc": 0}, [])
