"""Writes the OpenAPI document of the server to `web/openapi.json`."""

from pathlib import Path
from typing import Final

from diorama.server.openapi import openapi_text

TARGET: Final = Path(__file__).resolve().parent.parent / "web" / "openapi.json"

if __name__ == "__main__":
    TARGET.write_text(openapi_text(), encoding="utf-8")
    print(TARGET.name)
