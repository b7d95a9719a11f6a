"""`TokenBook`: knows the tokens of a console by their hashes, and nothing more of them."""

import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.live.commands import Role
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.settings.operation import ConsoleAuth, Token
from diorama.operate.console.callers import ANONYMOUS, Caller

_SHORTEST: Final = 16
_PLAIN: Final = re.compile(r"[!-~]+")  # what survives a header unchanged


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    label: str
    role: Role
    digest: bytes


class TokenBook:
    """Turns tokens into callers; used from any thread."""

    def __init__(self, settings: ConsoleAuth, environment: Mapping[str, str]) -> None:
        """Hash the tokens of a configuration with a key that ends with the process.

        Raises:
            ConfigError: A variable is not set, or a token is too short, not plain text or given twice.
        """
        self._key = secrets.token_bytes(32)
        self._is_enabled = settings.enabled
        self._is_viewer_known = settings.require_auth_for_viewer
        self._entries: list[_Entry] = []
        self._lengths: set[int] = set()
        for token in settings.tokens if settings.enabled else ():
            self._add(token, _secret(token, environment))

    @property
    def needs_token(self) -> bool:
        """Whether even viewers need one."""
        return self._is_enabled and self._is_viewer_known

    @property
    def labels(self) -> tuple[str, ...]:
        """Who there is."""
        return tuple(entry.label for entry in self._entries)

    def _add(self, token: Token, secret: str) -> None:
        digest = self.digest(secret)
        for known in self._entries:
            if known.digest == digest:
                raise ConfigError(f"console_auth.tokens: {known.label!r} and {token.label!r} have the same token")
        if token.label == ANONYMOUS:
            raise ConfigError(f"console_auth.tokens: {ANONYMOUS!r} is who has no token; choose another label")
        self._entries.append(_Entry(label=token.label, role=token.role, digest=digest))
        self._lengths.add(len(secret))

    def caller(self, token: str | None, address: str) -> Caller:
        """Say who has a token.

        Raises:
            CommandError: `unauthorized`: it is unknown, or one is needed and none was given.
        """
        if not self._is_enabled or (token is None and not self.needs_token):
            return Caller.anonymous(address)
        if token is None:
            raise CommandError("unauthorized", "token_missing", "a token is needed; send it as Authorization: Bearer …")
        digest = self.digest(token)
        found: _Entry | None = None
        for entry in self._entries:  # all of them, whichever it is: the time must not tell
            if hmac.compare_digest(entry.digest, digest):
                found = entry
        if found is None:
            raise CommandError("unauthorized", "token_unknown", "the token is unknown to this console")
        return Caller(issuer=found.label, role=found.role, address=address, limit_key=f"token {found.label}")

    def appears_in(self, texts: Iterable[str]) -> bool:
        """Whether any of the tokens is part of one of the texts."""
        digests = {entry.digest for entry in self._entries}
        for text in texts:
            data = text.encode()
            for length in self._lengths:
                for start in range(len(data) - length + 1):
                    if self._digest(data[start : start + length]) in digests:
                        return True
        return False

    def digest(self, token: str) -> bytes:
        """Return what is remembered of a token, right or wrong."""
        return self._digest(token.encode(errors="replace"))

    def _digest(self, secret: bytes) -> bytes:
        return blake2b(secret, key=self._key, digest_size=32).digest()


def _secret(token: Token, environment: Mapping[str, str]) -> str:
    place = f"console_auth.tokens {token.label!r}"
    if token.token_env is not None and not environment.get(token.token_env):
        raise ConfigError(f"{place}: the environment variable {token.token_env} is not set")
    secret = token.token if token.token_env is None else environment[token.token_env]
    if secret is None or len(secret) < _SHORTEST:
        raise ConfigError(f"{place}: the token is too short; use {_SHORTEST} characters or more")
    if not _PLAIN.fullmatch(secret):
        raise ConfigError(f"{place}: the token has other characters than letters, digits and signs of ASCII")
    return secret
