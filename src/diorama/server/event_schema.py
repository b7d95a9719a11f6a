"""How the OpenAPI document describes the event stream of a run, which is text and not JSON."""

from typing import Any, Final

_PATH: Final = "/api/runs/{run_id}/follow"
_STREAM: Final = "text/event-stream"


def describe_events(document: dict[str, Any]) -> dict[str, Any]:
    """Put the fields of an event in place of what the framework says about any text; changes the document."""
    answer = document["paths"][_PATH]["get"]["responses"]["200"]
    event = document["components"]["schemas"]["FollowEvent"]["properties"]
    answer["content"][_STREAM]["schema"] = {
        "type": "object",
        "required": ["id", "event", "data"],
        "properties": {
            "id": {"type": "string"},
            "event": {"type": "string", "enum": event["event"]["enum"]},
            "data": {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": {"anyOf": event["data"]["anyOf"]},
            },
        },
    }
    return document
