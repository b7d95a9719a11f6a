"""Every legal encoding goes through the disassembler and back."""

import numpy as np
import pytest

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.disassembler import disassemble, disassemble_one, opcode_alone
from diorama.worlds.gameboy.isa.table import Group, Instruction, instructions

ADDRESS = 0x1000
ONE_BYTE = [bytes([value]) for value in (*range(0, 256, 5), 127, 128)]
TWO_BYTES = [b"\x00\x00", b"\x34\x12", b"\x80\xff", b"\xff\xff"]
IMMEDIATES = {0: [b""], 1: ONE_BYTE, 2: TWO_BYTES}


def encodings(row: Instruction) -> list[bytes]:
    if row.group is Group.STOP:
        return [row.encoding + b"\0"]
    return [row.encoding + immediate for immediate in IMMEDIATES[row.immediate_bytes]]


def test_every_legal_encoding_survives_the_round_trip() -> None:
    code = b"".join(data for row in instructions() if row.is_legal for data in encodings(row))
    a = Asm("T")
    a.org(ADDRESS)

    listing = list(disassemble(code, ADDRESS))
    a("\n".join(line.text for line in listing))

    assert None not in [line.instruction for line in listing]
    assert {line.instruction for line in listing} == {row for row in instructions() if row.is_legal}
    assert a.build_raw(ADDRESS + len(code))[ADDRESS:] == code


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("18FE", "jr $1000"),
        ("F880", "ld hl,sp-128"),
        ("E805", "add sp,5"),
        ("F044", "ldh a,($FF44)"),
        ("EA34C0", "ld ($C034),a"),
        ("CB7E", "bit 7,(hl)"),
        ("D3", "db $D3"),
        ("C300", "db $C3"),
        ("CB", "db $CB"),
        ("1005", "db $10"),
    ],
)
def test_the_text_is_what_a_reader_expects(data: str, text: str) -> None:
    assert disassemble_one(bytes.fromhex(data), ADDRESS).text == text


@pytest.mark.parametrize(
    ("opcode", "text"),
    [
        pytest.param(0x31, "ld sp,d16", id="operand"),
        pytest.param(0x00, "nop", id="none"),
        pytest.param(0xCB, "prefix", id="prefix"),
        pytest.param(0xD3, "db $D3", id="illegal"),
    ],
)
def test_an_opcode_alone_tells_no_operand(opcode: int, text: str) -> None:
    assert opcode_alone(opcode).text == text


def test_a_stretch_of_bytes_is_listed_without_gaps() -> None:
    listing = list(disassemble(bytes.fromhex("3E05D3C35001"), 0xFFFE))

    assert [str(line) for line in listing] == [
        "FFFE  3E 05     ld a,$05",
        "0000  D3        db $D3",
        "0001  C3 50 01  jp $0150",
    ]


def test_any_bytes_survive_the_round_trip() -> None:
    code = bytes(np.random.default_rng(3).integers(0, 256, 4000, dtype=np.uint8))
    a = Asm("T")
    a.org(ADDRESS)

    a("\n".join(line.text for line in disassemble(code, ADDRESS)))

    assert a.build_raw(ADDRESS + len(code))[ADDRESS:] == code
