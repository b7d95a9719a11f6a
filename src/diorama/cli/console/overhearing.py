"""Tells whoever sends a token through a network in the open."""

from urllib.parse import urlsplit

import typer

from diorama.contracts.live.settings.telemetry import is_this_machine


def warn_if_overheard(address: str, token: str | None) -> None:
    """Say on stderr that a token travels to an address unencrypted, if there is one and it does."""
    if token is not None and is_overheard(address):
        typer.echo(
            f"diorama: the token travels to {address} unencrypted; use https:// where others may listen", err=True
        )


def is_overheard(address: str) -> bool:
    """Return whether what is sent to an address leaves this machine unencrypted."""
    parts = urlsplit(address)
    return parts.scheme == "http" and not is_this_machine(parts.hostname or "")
