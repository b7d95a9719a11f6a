"""Why a server does not answer, in words."""

from urllib.error import URLError


def why_unreachable(error: Exception) -> str:
    """Return the cause alone, as a part of a sentence: `connection refused`."""
    cause = error.reason if isinstance(error, URLError) else error
    return (cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)).lower()
