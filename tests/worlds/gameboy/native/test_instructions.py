"""Single instructions of the native core against the public vectors and against the instruction table."""

import pytest

from diorama.native import load_native
from diorama.worlds.gameboy.harness.vectors import EXCEPTIONS, REGISTERS, check_vector
from diorama.worlds.gameboy.isa.table import Group, Instruction, instructions
from tests.worlds.gameboy.vectors import sm83_vectors


def test_every_public_vector_comes_out_as_on_hardware() -> None:
    vectors = sm83_vectors()

    wrong = [
        f"{vector['name']}: {problem}"
        for opcode, cases in vectors.items()
        for vector in (cases if opcode not in EXCEPTIONS.not_run else [])
        if (problem := check_vector(opcode, vector)) is not None  # type: ignore[arg-type]  # read as plain JSON
    ]

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
