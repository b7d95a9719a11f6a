"""The OpenAPI document as a text, from which the types of the web client are made."""

import json
import tempfile
from pathlib import Path

from diorama.server.app import create_app
from diorama.server.settings import ServerSettings


def openapi_text() -> str:
    """Return the document of this server; it depends on nothing but the code."""
    with tempfile.TemporaryDirectory() as root:
        app = create_app(ServerSettings(runs_root=Path(root)))
        app.services.runs.close()
    return json.dumps(app.openapi(), indent=2, ensure_ascii=False) + "\n"
