"""A town as words: first the canonical state, which is hashed, then what else a restored town needs."""

from diorama.worlds.townlet.reference.words.references import check_doings
from diorama.worlds.townlet.reference.words.town import read_town, snapshot_words, state_words

__all__ = ["check_doings", "read_town", "snapshot_words", "state_words"]
