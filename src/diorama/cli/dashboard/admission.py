"""Which token, if any, a live world is shown by somebody who only watches."""

import os
from urllib.parse import urlsplit

from diorama.cli.console.client import ConsoleFailure, TokenRefused
from diorama.cli.console.command import DEFAULT_URL, URL_ENV, token_of
from diorama.cli.dashboard.addresses import LivePlace, find_place
from diorama.contracts.live.settings.telemetry import is_this_machine


def enter(address: str, token_env: str | None) -> tuple[LivePlace, str | None]:
    """Return the live world behind an address, and the token that opens it.

    The token of a variable that was named is sent. The usual one is an operator's: it is sent only where nobody may
    watch without one, and only to this machine or to the server that DIORAMA_LIVE_URL names.

    Raises:
        ConfigError: It is no address, or the variable that was named is not set.
        UnknownName: No world of that name is live there.
        ConsoleFailure: Nothing answers there, or not to whoever asks.
    """
    if token_env is not None:
        token = token_of(token_env)
        return find_place(address, token), token
    try:
        return find_place(address), None
    except TokenRefused as refusal:
        token = token_of(None)
        if token is None or not _is_own(address):
            raise ConsoleFailure(f"{refusal}; name the variable that holds yours with --token-env") from None
    return find_place(address, token), token


def _is_own(address: str) -> bool:
    parts = urlsplit(address)
    return (
        is_this_machine(parts.hostname or "") or parts.netloc == urlsplit(os.environ.get(URL_ENV, DEFAULT_URL)).netloc
    )
