"""What a page of the client may do in a browser: its Content Security Policy."""

import base64
import hashlib
import re
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

_INLINE_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_BUILT_FOR: Final = re.compile(r'<meta name="diorama-server" content="([^"]*)"')
_SECURE: Final = {"http": "ws", "https": "wss"}


class PagePolicy:
    """The policy of a document, which names its own inline scripts by their hashes, so that no other one runs.

    Scripts may not make scripts from text; WebAssembly, which runs exported policies, may be compiled. Components set
    styles of their own elements, and the drawing library makes workers and pictures from what it has fetched. A client
    that was built for a server on another host may take data, pictures and sounds from there.
    """

    def __init__(self, live_address: str | None) -> None:
        """Allow connections to the server itself, and to the live world it points at."""
        self._live = _origins(live_address)
        self._written: tuple[int, str] | None = None

    def of(self, document: Path) -> str:
        """Return the policy of a document; read again when the client was built again."""
        built = document.stat().st_mtime_ns
        if self._written is None or self._written[0] != built:
            self._written = (built, self._write(document.read_text(encoding="utf-8")))
        return self._written[1]

    def _write(self, document: str) -> str:
        built_for = _BUILT_FOR.search(document)
        elsewhere = _origins(unescape(built_for[1]) if built_for else None)
        connections = " ".join(dict.fromkeys((*elsewhere, *self._live)))
        files = " ".join(elsewhere[:1])
        scripts = " ".join(f"'sha256-{_digest(script)}'" for script in _INLINE_SCRIPT.findall(document))
        return "; ".join(
            (
                "default-src 'self'",
                f"script-src 'self' 'wasm-unsafe-eval' {scripts}".rstrip(),
                "style-src 'self' 'unsafe-inline'",
                f"img-src 'self' data: blob: {files}".rstrip(),
                "font-src 'self' data:",
                f"media-src 'self' data: blob: {files}".rstrip(),
                "worker-src 'self' blob:",
                f"connect-src 'self' data: blob: {connections}".rstrip(),
                "object-src 'none'",
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'",
            )
        )


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _origins(address: str | None) -> tuple[str, ...]:
    """Return how a policy names a server: for requests, then for sockets."""
    if address is None:
        return ()
    parts = urlsplit(address)
    if "[" in parts.netloc:
        # A policy cannot name an address of IPv6.
        return (f"{parts.scheme}:", f"{_SECURE[parts.scheme]}:")
    return (f"{parts.scheme}://{parts.netloc}", f"{_SECURE[parts.scheme]}://{parts.netloc}")
