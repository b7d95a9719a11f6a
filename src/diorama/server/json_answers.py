"""Answers made of JSON that exists as text already, so that nothing is decoded only to be encoded again."""

from collections.abc import Iterable

from fastapi import Response

from diorama.contracts.values import JsonObject
from diorama.runs.documents import encode

_JSON = "application/json"


def json_answer(body: bytes) -> Response:
    """Answer with a JSON text."""
    return Response(body, media_type=_JSON)


def with_list(head: JsonObject, name: str, items: Iterable[bytes]) -> bytes:
    """Return the JSON object `head` with one more key: a list of JSON texts."""
    return b'%b,"%b":[%b]}' % (encode(head)[:-1], name.encode(), b",".join(items))
