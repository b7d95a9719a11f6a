"""A valid artifact, damaged: bytes, JSON documents, lines and YAML texts that are nearly right."""

import copy
import gzip
import json
from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

HUGE = "@huge@"
DEEP = "@deep@"
_DIGITS = "9" * 5000
_LEVELS = 3000
_SHOWN_BYTES = 400

EVIL_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 255, 256, 65_536, 1 << 31, (1 << 31) - 1, -(1 << 31), 1 << 32, 1 << 40),
    *((1 << 53) + 1, 1 << 63, (1 << 63) - 1, -(1 << 63), 1 << 64, 10**30, -(10**30), HUGE, DEEP),
    *(0.5, -0.0, 1e-320, 1e308, -1e308, float("nan"), float("inf"), float("-inf")),
    *("", " ", "\0", "a" * 5000, "../../etc/passwd", "/etc/passwd", "\ud800", "🦀", "NaN", "0", "-1", "2031-13-45"),
    *([], {}, [[]], [{}], {"": {}}, [None], [1, 2, 3], {"a": 1}, [0] * 300, {str(n): n for n in range(300)}),
)
_BURSTS = (b"\xff" * 8, b"\0" * 8, b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f", b"\x80" + b"\0" * 7, b"\n", b"{", b'"')


class Blob(bytes):
    """Bytes that are not told in full when a test fails; the example can be made again from what is printed."""

    def __repr__(self) -> str:
        """Tell the beginning."""
        return (
            super().__repr__() if len(self) <= _SHOWN_BYTES else f"{bytes(self[:_SHOWN_BYTES])!r}... {len(self)} bytes"
        )


@st.composite
def damaged_bytes(draw: st.DrawFn, whole: bytes) -> bytes:
    """Return bytes with a few bits flipped, parts cut out, doubled, moved or overwritten, or something quite else."""
    if draw(st.integers(0, 19)) == 0:
        return Blob(draw(st.binary(max_size=64)))
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        length = draw(st.integers(1, 64))
        match draw(st.integers(0, 6)):
            case 0 if data:
                data[at] ^= 1 << draw(st.integers(0, 7))
            case 1:
                del data[at:]
            case 2:
                del data[at : at + length]
            case 3:
                data[at:at] = data[at : at + length]
            case 4:
                burst = draw(st.sampled_from(_BURSTS))
                data[at : at + len(burst)] = burst
            case 5:
                data[at:at] = draw(st.binary(max_size=32))
            case _:
                other = draw(st.integers(0, max(0, len(data) - 1)))
                data[at : at + length] = data[other : other + length]
    return Blob(data)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in inner for found in _paths(item, (*path, key)))]


@st.composite
def damaged_value(draw: st.DrawFn, document: Any) -> Any:
    """Return a JSON value with a few places replaced, removed, doubled, renamed or swapped; see `as_text`."""
    value = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        # Once a path is chosen it is a list of steps, which is quick to shrink.
        path = draw(st.sampled_from(_paths(value)))
        evil = draw(st.sampled_from(EVIL_VALUES) | st.integers() | st.floats() | st.text(max_size=8))
        if not path:
            if draw(st.integers(0, 9)) == 0:
                value = copy.deepcopy(evil)
            continue
        holder = value
        for step in path[:-1]:
            holder = holder[step]
        _change(draw, holder, path[-1], copy.deepcopy(evil))
    return value


def _change(draw: st.DrawFn, holder: Any, key: Any, evil: Any) -> None:
    match draw(st.integers(0, 5)):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        case 1:
            holder[draw(st.text(max_size=6))] = evil
        case 2:
            other = draw(st.sampled_from(list(holder) if isinstance(holder, dict) else range(len(holder))))
            holder[key], holder[other] = holder[other], holder[key]
        case _:
            holder[key] = evil


def as_text(value: Any) -> str:
    """Write a damaged value as nearly JSON: it may hold NaN, a number of 5000 digits, or thousands of brackets."""
    text = json.dumps(value)
    return text.replace(f'"{HUGE}"', _DIGITS).replace(f'"{DEEP}"', "[" * _LEVELS + "]" * _LEVELS)


def damaged_json(document: Any) -> st.SearchStrategy[bytes]:
    """Return texts of a damaged document, or the damaged text of a whole one."""
    return damaged_value(document).map(lambda value: Blob(as_text(value).encode())) | damaged_bytes(
        json.dumps(document).encode()
    )


def packed_blob(data: bytes) -> bytes:
    """Compress bytes."""
    return Blob(gzip.compress(data))


def damaged_lines(lines: Sequence[Any]) -> st.SearchStrategy[bytes]:
    """Return files of JSON lines in which a line is damaged, or the bytes of the whole."""

    @st.composite
    def with_one_damaged(draw: st.DrawFn) -> bytes:
        written = [json.dumps(line).encode() for line in lines]
        at = draw(st.integers(0, len(written) - 1))
        written[at] = draw(damaged_json(lines[at]))
        return Blob(b"".join(line + b"\n" for line in written))

    whole = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    return with_one_damaged() | damaged_bytes(whole)


_YAML_SCRAPS = (
    *("&a [*a, *a]", "*nobody", "!!int ''", "!!float ''", "!!bool x", "!!timestamp x", "!!binary x", "!!set x", "? a"),
    *("!!python/object/apply:os.system [true]", "2031-13-45", "0x", "0b", "1__0", "1:99:99", "<<: 3", "<<: [1]", "%"),
    *("!!map [[a, b]]", "!!omap [a]", "!!pairs 3", "- - - -", "{{a: 1}: 2}", "[" * 300, "{a: " * 300, "---\n...", "\t"),
    *(_DIGITS, "1e999", ".nan", ".inf", "-.inf", "~", "''", '"\\x00"', "|", ">-", "@", "`", "\x00", "\ud7ff", "|\n  a"),
)


@st.composite
def damaged_yaml(draw: st.DrawFn, text: str) -> bytes:
    """Return a YAML text with scraps of others in it, lines gone, doubled or moved, or its bytes damaged."""
    if draw(st.booleans()):
        return draw(damaged_bytes(text.encode()))
    lines = text.splitlines()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(lines) - 1)))
        scrap = draw(st.sampled_from(_YAML_SCRAPS))
        match draw(st.integers(0, 4)):
            case 0:
                lines[at : at + 1] = []
            case 1:
                lines[at:at] = lines[at : at + 1]
            case 2:
                lines[at:at] = [f"{draw(st.sampled_from(['', '  ', 'x: ', '- ']))}{scrap}"]
            case 3:
                lines[at : at + 1] = [line.partition(":")[0] + ": " + scrap for line in lines[at : at + 1]]
            case _:
                lines[at : at + 1] = [" " * draw(st.integers(0, 9)) + line.strip() for line in lines[at : at + 1]]
    return Blob("\n".join(lines).encode())


def laughing(levels: int, make: Callable[[str], str] = "[{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}]".format) -> str:
    """Return YAML of a few lines whose aliases stand for billions of values."""
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} {make(f'*a{n - 1}')}" for n in range(1, levels)]
    return "\n".join(lines) + "\n"
