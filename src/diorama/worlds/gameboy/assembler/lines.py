"""Lines of source text: labels, comments, quoted text, and the arguments of directives."""

import re
from typing import Final

DIRECTIVES: Final = ("org", "db", "dw", "ds")
_LABEL: Final = re.compile(r"\s*(\.?[A-Za-z_][A-Za-z0-9_]*):")


def without_comment(line: str) -> str:
    """Cut a line at the first semicolon that is not inside quotes."""
    return _split(line, ";")[0]


def split_labels(line: str) -> tuple[list[str], str]:
    """Take the labels off the front of a line; give them and the statement behind them."""
    labels = []
    while label := _LABEL.match(line):
        labels.append(label[1])
        line = line[label.end() :]
    return labels, line.strip()


def split_directive(statement: str) -> tuple[str, list[str]] | None:
    """Give the name and the arguments of a directive; None where the statement is an instruction."""
    word, _, rest = statement.partition(" ")
    if word.lower() not in DIRECTIVES:
        return None
    return word.lower(), [argument.strip() for argument in _split(rest, ",")]


def quoted_bytes(argument: str) -> bytes | None:
    """Give the bytes of an ASCII text in double quotes; None where it is something else."""
    if len(argument) < 2 or not argument.isascii() or argument[0] != '"' or argument[-1] != '"':
        return None
    return argument[1:-1].encode("ascii")


def _split(text: str, separator: str) -> list[str]:
    """Split at separators that are not inside quotes."""
    parts, quoted = [""], False
    for letter in text:
        quoted ^= letter == '"'
        if letter == separator and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
