"""Programs: placement, labels, header, and every error with its source line."""

from collections.abc import Callable

import pytest

from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.assembler.header import global_checksum, header_checksum
from diorama.worlds.gameboy.errors import AssemblyError


def small(a: Asm) -> bytes:
    a("start: nop")
    return a.build()


def test_labels_reach_forward_and_backward() -> None:
    a = Asm("T")
    a("""
    start:
        jr ahead     ; a comment
    back:
        jp start
    ahead: jr back
    """)
    assert a.build()[0x150:0x157] == bytes.fromhex("1803C3500118FB")


def test_local_labels_belong_to_the_last_global_one() -> None:
    a = Asm("T")
    a("start: nop\n.loop: jr .loop\nother: nop\n.loop: jr .loop\njp start.loop")
    assert a.build()[0x150:0x159] == bytes.fromhex("0018FE0018FEC35101")


def test_data_words_and_fill_stand_where_they_are_put() -> None:
    a = Asm("T")
    a("start: nop")
    a.org(0x200)
    a.db(1, "lo(start)", -1, b"AB")
    a.dw("start", 0xBEEF)
    a.ds(3, 0x77)
    assert a.build()[0x200:0x20C] == bytes.fromhex("0150FF4142 5001EFBE 777777".replace(" ", ""))


def test_directives_stand_in_the_text_too() -> None:
    a = Asm("T")
    a("""
    start: nop
        org $200
    text: db "A;,B", 0, lo(text) ; a comment
        dw start, text
    .pad: DS 2+1, $77
        ds 1
        jr .pad
        org $4000, 1
        db $99
    """)
    rom = a.build()

    assert rom[0x200:0x210] == b"A;,B" + bytes.fromhex("00 00 5001 0002 777777 00 18FA")
    assert rom[0x4000] == 0x99


def test_banks_are_seen_from_4000_on() -> None:
    a = Asm("T", cart_type=1, rom_banks=4)
    a("start: ld hl,far")
    a.org(0x4010, bank=3)
    a.label("far")
    a.db(0x99)
    rom = a.build()

    assert len(rom) == 0x10000
    assert rom[3 * 0x4000 + 0x10] == 0x99
    assert rom[0x150:0x153] == bytes.fromhex("211040")


def test_vectors_are_jumps_and_leave_the_place_alone() -> None:
    a = Asm("T")
    a("start: nop")
    a.vector(0x48, "start")
    a("halt")
    rom = a.build()

    assert rom[0x48:0x4B] == bytes.fromhex("C35001")
    assert rom[0x150:0x152] == bytes.fromhex("0076")


def test_the_header_is_filled_in() -> None:
    a = Asm("HEADER TEST", cart_type=0x1A, rom_banks=8, ram_code=3)
    rom = small(a)

    assert rom[0x100:0x104] == bytes.fromhex("00C35001")
    assert rom[0x104:0x134] == b"DIORAMA".ljust(48, b"\0")
    assert rom[0x134:0x13F] == b"HEADER TEST"
    assert (rom[0x143], rom[0x147], rom[0x148], rom[0x149]) == (0, 0x1A, 2, 3)
    assert rom[0x14D] == header_checksum(rom)
    assert int.from_bytes(rom[0x14E:0x150], "big") == global_checksum(rom)
    assert sum(rom[0x151:]) == 0


def test_the_same_program_gives_the_same_bytes() -> None:
    assert small(Asm("T")) == small(Asm("T"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("LD A,(HL+)", "2A"),
        ("ldi (hl),a", "22"),
        ("ldd a,(hl)", "3A"),
        ("ld a,[hli]", "2A"),
        ("add b", "80"),
        ("sub a,b", "90"),
        ("xor a, a", "AF"),
        ("jp (hl)", "E9"),
        ("jp hl", "E9"),
        ("ld a,($ff00+c)", "F2"),
        ("ldh a,($FF44)", "F044"),
        ("ldh ($44),a", "E044"),
        ("ld a,(lo($1234)+1)", "FA3500"),
        ("ld hl,sp-2", "F8FE"),
        ("ld hl, sp + 127", "F87F"),
        ("add sp,-128", "E880"),
        ("rst 56", "FF"),
        ("rst $08", "CF"),
        ("bit 7,(hl)", "CB7E"),
        ("jr c,$0150", "38FE"),
        ("ret c", "D8"),
        ("ld b,c", "41"),
        ("ld ($C000),sp", "0800C0"),
        ("stop", "1000"),
        ("ld a,-1", "3EFF"),
    ],
)
def test_usual_spellings_are_understood(text: str, code: str) -> None:
    a = Asm("T")
    a("start:")
    a(text)
    data = bytes.fromhex(code)

    assert a.build()[0x150 : 0x150 + len(data)] == data


# Steps that fail in the last one, or in `build`: text to assemble, or a call by name with its arguments.
Step = str | tuple[str, tuple[int | str, ...]]
ERRORS: list[tuple[str, list[Step], str, str]] = [
    ("mnemonic", ["move a,b"], "line 1 `move a,b`", "unknown mnemonic 'move'"),
    ("operands", ["ld (hl),(hl)"], "line 1", "does not take the operands"),
    ("pair", ["push sp"], "line 1", "does not take"),
    ("duplicate", ["x: nop\nx: nop"], "line 2 `x: nop`", "already set in line 1"),
    ("register-label", ["hl: nop"], "line 1", "cannot be a label"),
    ("missing", ["start: nop\njp gone"], "line 2 `jp gone`", "no label 'gone'"),
    ("far", ["start: nop", ("ds", (200,)), "jr start"], "line 3 `jr start`", "cannot reach"),
    ("overlap", ["start: nop", ("org", (0x150,)), "halt"], "line 3 `halt`", "overlaps"),
    ("header", ["start: nop", ("org", (0x104,)), "nop"], "line 3 `nop`", "holds no code"),
    ("into-header", ["start: nop", ("org", (0xFF,)), ("dw", (1,))], "line 3", "holds no code"),
    ("entry", ["nop"], "line 0", "no label 'start'"),
    ("byte", ["start: ld a,256"], "line 1", "256 is outside -128..255"),
    ("word", ["start: nop", ("dw", (0x10000,))], "line 2", "65536 is outside"),
    ("high-page", ["start: ldh a,($C000)"], "line 1", "outside 0..255"),
    ("offset", ["start: add sp,128"], "line 1", "128 is outside -128..127"),
    ("bank-end", ["start: nop", ("org", (0x3FFF,)), "jp start"], "line 3", "bank 0 is full"),
    ("no-bank", [("org", (0x4000, 2))], "line 1", "no bank 2"),
    ("wrong-window", [("org", (0x4000,))], "line 1", r"bank 0 is seen at \$0000"),
    ("directive", ["ds 1, 2, 3"], "line 1", "one or two arguments, not 3"),
    ("late-label", ["ds later\nlater: nop"], "line 1 `ds later`", "no label 'later'"),
    ("empty-db", ["start: nop\ndb 1,,2"], "line 2", "missing"),
    ("expression", [("db", ("1 +* 2",))], "line 1", "cannot read"),
    ("fill", [("ds", (-1,))], "line 1", "count of 0 or more"),
]


def assemble(steps: list[Step]) -> bytes:
    a = Asm("T")
    calls: dict[str, Callable[..., None]] = {"org": a.org, "db": a.db, "dw": a.dw, "ds": a.ds}
    for step in steps:
        if isinstance(step, str):
            a(step)
        else:
            calls[step[0]](*step[1])
    return a.build()


@pytest.mark.parametrize(("steps", "line", "words"), [case[1:] for case in ERRORS], ids=[case[0] for case in ERRORS])
def test_errors_name_the_source_line(steps: list[Step], line: str, words: str) -> None:
    with pytest.raises(AssemblyError, match=words) as failure:
        assemble(steps)

    assert failure.value.line.startswith(line)
    assert str(failure.value).startswith(line)


@pytest.mark.parametrize(
    ("title", "banks"), [("lower", 2), ("TWELVE CHARS", 2), ("ÄÖ", 2), ("T", 3), ("T", 1), ("T", 1024)]
)
def test_impossible_cartridges_are_refused(title: str, banks: int) -> None:
    with pytest.raises(AssemblyError):
        Asm(title, rom_banks=banks)
