"""JSON within bounds: size, number of values, depth and size of whole numbers, checked around the fast decoder."""

from typing import Final, TypeVar

import msgspec

from diorama.contracts.errors import DocumentError

MAX_VALUES: Final = 1 << 21  # a value takes 150 bytes at most, keys and tables included
MAX_DEPTH: Final = 64
INT_BITS: Final = 64  # without a sign; more than these no encoder of ours writes again

T = TypeVar("T")


def decode_json(
    data: bytes | str, kind: type[T], *, where: str, most_values: int = MAX_VALUES, int_bits: int = INT_BITS
) -> T:
    """Read a JSON text as a value of a type.

    Args:
        data: The text, whose size the caller has bounded.
        kind: What it must be: a struct, or plain values (`dict`, `list`, `object`).
        where: Names it in messages.
        most_values: Values above which the text is refused before it is decoded; commas inside of strings count.
        int_bits: Size of the largest whole number; of a negative one, with its sign.

    Raises:
        DocumentError: With the place of the text and, where its form is wrong, the place inside of it.
    """
    check_count(data, where, most_values)
    try:
        value = msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DocumentError(f"{where}: {error}", code="json_invalid", where=where, reason=str(error)) from None
    _check_values(value, where, int_bits)
    return value


def check_count(data: bytes | str, where: str, most_values: int = MAX_VALUES) -> None:
    """Refuse a JSON text that may hold more values, before anything decodes it.

    Raises:
        DocumentError: It may.
    """
    if len(data) <= most_values:
        return
    # Each value follows a comma or a bracket; counting those costs a thousandth of decoding them.
    if _marks(data) >= most_values:
        raise DocumentError(
            f"{where}: holds more than {most_values} values, the most that are read",
            code="json_too_many_values",
            where=where,
            most_values=most_values,
        )


def _marks(data: bytes | str) -> int:
    if isinstance(data, str):
        return data.count(",") + data.count("[") + data.count("{")
    return data.count(b",") + data.count(b"[") + data.count(b"{")


def _check_values(value: object, where: str, int_bits: int) -> None:
    """Refuse what nests too deep, and whole numbers that are too large."""
    least, most = -(1 << int_bits - 1), 1 << int_bits
    level: list[object] = [value]
    for _ in range(MAX_DEPTH + 1):
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict):
                inner += item.values()
            elif isinstance(item, list | tuple):
                inner += item
            elif isinstance(item, msgspec.Struct):
                inner += [getattr(item, name) for name in item.__struct_fields__]
            elif isinstance(item, int) and not least <= item < most:
                raise DocumentError(
                    f"{where}: holds a whole number of {item.bit_length()} bits; at most {int_bits} are read",
                    code="json_number_too_large",
                    where=where,
                    bits=item.bit_length(),
                )
        if not inner:
            return
        level = inner
    raise DocumentError(
        f"{where}: is nested deeper than {MAX_DEPTH} levels", code="json_too_deep", where=where, most_levels=MAX_DEPTH
    )
