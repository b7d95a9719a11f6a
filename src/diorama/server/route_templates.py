"""Which endpoint a request was for, in words that do not depend on its parameters."""

from collections.abc import Mapping

from fastapi import FastAPI
from starlette.types import Scope


def route_template(scope: Scope) -> str:
    """Return the path of the endpoint that was found, with its parameters in braces; `unmatched` if none was."""
    template = getattr(scope.get("route"), "path_format", None)
    return template if isinstance(template, str) else "unmatched"


def allowed_methods(app: FastAPI, scope: Scope) -> str:
    """Return all methods of a path; the framework names only those of the first endpoint that has it."""
    operations: Mapping[str, object] = app.openapi()["paths"].get(route_template(scope), {})
    return ", ".join(sorted(method.upper() for method in operations)) or "GET"
