"""`Aliases`: other names for people, the same within a run and meaningless without the salt."""

import hmac
import re
from collections.abc import Iterable
from hashlib import sha256
from threading import Lock
from typing import Final

PREFIX: Final = "a_"
DIGITS: Final = 10


class Aliases:
    """Replaces ids and shown names of people, and labels of operators, wherever they stand in a text.

    A shown name becomes the alias of the id it belongs to, the first one where two share it. What has a digit in it,
    as generated ids have, is replaced anywhere; a bare word only where it stands as a word, so that an object
    `bed_1` keeps its id when somebody is called `bed`.
    """

    def __init__(self, salt: str) -> None:
        """Begin with nobody known."""
        self._key = salt.encode()
        self._words: dict[str, str] = {}
        self._hidden: dict[str, str] = {}
        self._lexicon: tuple[re.Pattern[str] | None, dict[str, str]] = (None, {})
        self._learning = Lock()

    def alias(self, word: str) -> str:
        """The alias of an id or a label, known or not."""
        return PREFIX + hmac.new(self._key, word.encode(), sha256).hexdigest()[:DIGITS]

    def know(self, people: Iterable[tuple[str, str]]) -> None:
        """Hide these ids and shown names from now on."""
        known = self._words
        strangers = [(agent_id, name) for agent_id, name in people if agent_id not in known or name not in known]
        if not strangers:
            return
        # Spectators hide what waits for them on threads of their own: nobody may go on with an older list of words.
        with self._learning:
            words = dict(self._words)
            for agent_id, name in strangers:
                words[agent_id] = self.alias(agent_id)
                words.setdefault(name, words[agent_id])
            words.pop("", None)
            longest_first = sorted(words, key=lambda word: (-len(word), word))
            pattern = re.compile("|".join(map(_as_pattern, longest_first))) if longest_first else None
            self._lexicon, self._hidden = (pattern, words), {}
            self._words = words  # last: whoever finds somebody here finds them hidden, too

    def know_words(self, words: Iterable[str]) -> None:
        """Hide these words from now on, each under an alias of its own."""
        self.know((word, word) for word in words)

    def hide(self, text: str) -> str:
        """The text with an alias in the place of everybody known."""
        # In this order: what was found with an older pattern is never remembered for a newer one.
        remembered = self._hidden
        pattern, words = self._lexicon
        if pattern is None:
            return text
        hidden = remembered.get(text)
        if hidden is None:
            if len(remembered) >= _REMEMBERED_TEXTS:
                remembered.clear()
            hidden = remembered[text] = pattern.sub(lambda found: words[found.group()], text)
        return hidden


_REMEMBERED_TEXTS: Final = 20_000


def _as_pattern(word: str) -> str:
    literal = re.escape(word)
    return literal if any(letter.isdigit() for letter in word) else rf"(?<!\w){literal}(?!\w)"
