"""The OpenAPI document of a live server as a text, from which the types of the web client are made."""

import json

from diorama.server.live.app import bare_live_app


def live_openapi_text() -> str:
    """Return the document; it depends on nothing but the code."""
    return json.dumps(bare_live_app().openapi(), indent=2, ensure_ascii=False) + "\n"
