"""The instruction table: its structure, the spec's decode fields, and the public vectors."""

import re

from diorama.worlds.gameboy.isa.table import Condition, Group, Instruction, Kind, decode, instructions
from tests.worlds.gameboy.vectors import sm83_vectors

ILLEGAL = [0xD3, 0xDB, 0xDD, 0xE3, 0xE4, 0xEB, 0xEC, 0xED, 0xF4, 0xFC, 0xFD]
REGISTERS = [Kind.B, Kind.C, Kind.D, Kind.E, Kind.H, Kind.L, Kind.AT_HL, Kind.A]
CONDITIONS = [Condition.NZ, Condition.Z, Condition.NC, Condition.C]


def slots(row: Instruction, *, taken: bool) -> str:
    return row.slots.replace("[", "").replace("]", "") if taken else re.sub(r"\[.*\]", "", row.slots)


def test_there_are_244_legal_base_opcodes_and_256_behind_the_prefix() -> None:
    base, prefixed = instructions()[:256], instructions()[256:]

    assert sum(row.is_legal for row in base) == 244
    assert len(prefixed) == 256
    assert all(row.is_legal and row.is_prefixed for row in prefixed)
    assert [row.opcode for row in base if row.group is Group.ILLEGAL] == ILLEGAL
    assert [row.opcode for row in base if row.group is Group.PREFIX] == [0xCB]


def test_no_two_legal_rows_are_written_alike() -> None:
    written = [row.mnemonic for row in instructions() if row.is_legal]

    assert len(set(written)) == len(written)


def test_slots_lengths_and_cycles_agree() -> None:
    for row in instructions():
        assert row.m_cycles == len(slots(row, taken=False)), row
        assert row.m_cycles_taken == len(slots(row, taken=True)), row
        assert row.slots.startswith("F"), row
        assert (row.m_cycles != row.m_cycles_taken) == (row.condition is not Condition.NONE), row
        if row.group is not Group.STOP:  # its second byte is never read
            assert row.slots.count("i") == row.length - 1, row


def test_decode_fields_name_registers_conditions_and_bits() -> None:
    for row in instructions():
        if row.is_prefixed:
            assert row.operand_kind is REGISTERS[row.z]
            assert row.group is [Group.ROTATE, Group.BIT, Group.RES, Group.SET][row.x]
        elif row.group is Group.ALU and row.x == 2:
            assert row.operand_kind is REGISTERS[row.z]
        elif row.group is Group.LOAD and row.x == 1:
            assert (row.dest_kind, row.operand_kind) == (REGISTERS[row.y], REGISTERS[row.z])
        if row.condition is not Condition.NONE:
            assert row.condition is CONDITIONS[row.y & 3]
        if row.group is Group.RESTART:
            assert row.mnemonic == f"rst ${8 * row.y:02x}"


def test_the_prefix_leads_to_the_second_half() -> None:
    assert decode(0xCB, 0x37).mnemonic == "swap a"
    assert decode(0x37, 0xCB).mnemonic == "scf"
    assert decode(0xCB, 0x37).encoding == b"\xcb\x37"


def test_every_bus_slot_is_that_of_the_public_vectors() -> None:
    """The two exceptions are declared: STOP is one M-cycle here, and HALT's length depends on what wakes it."""
    kinds = {"r-m": "r", "-wm": "w", "---": "-"}
    compared = 0
    for row in instructions():
        key = f"cb {row.opcode:02x}" if row.is_prefixed else f"{row.opcode:02x}"
        if not row.is_legal or row.group in (Group.STOP, Group.HALT):
            continue
        allowed = {slots(row, taken=taken).replace("F", "r").replace("i", "r") for taken in (False, True)}
        seen = {"".join(kinds[cycle[2]] for cycle in vector["cycles"]) for vector in sm83_vectors()[key]}
        assert seen <= allowed, row.mnemonic
        compared += 1
    assert compared == 498
