"""The packages that a server needs, asked for before anything is begun."""

from importlib.util import find_spec
from typing import Final

from diorama.contracts.errors import MissingExtra

_PACKAGES: Final = ("fastapi", "prometheus_client", "pydantic_settings", "uvicorn", "websockets")


def require_server(needed_for: str) -> None:
    """Refuse a command where a package is missing.

    Raises:
        MissingExtra: With what to install.
    """
    if any(find_spec(package) is None for package in _PACKAGES):
        raise MissingExtra.of("serve", needed_for=needed_for)
