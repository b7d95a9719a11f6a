"""Snapshots: state words, their hash, what a restored state may hold, and the byte frame around all of it."""

from diorama.snapshots.bounds import LARGEST_NUMBER, Bound, check_bounds, check_numbers, plain_number
from diorama.snapshots.frame import check_configuration, pack_snapshot, unpack_snapshot
from diorama.snapshots.state_hash import hash_hex, hash_words
from diorama.snapshots.words import WordReader, Words, WordWriter, byte_words, float_words, int_words

__all__ = [
    "LARGEST_NUMBER",
    "Bound",
    "WordReader",
    "WordWriter",
    "Words",
    "byte_words",
    "check_bounds",
    "check_configuration",
    "check_numbers",
    "float_words",
    "hash_hex",
    "hash_words",
    "int_words",
    "pack_snapshot",
    "plain_number",
    "unpack_snapshot",
]
