"""`refused`: what a test asserts of an error: its class, its code and the values it names, not its wording."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from diorama.contracts.errors import DioramaError

Refusal = TypeVar("Refusal", bound=DioramaError)


@contextmanager
def refused(kind: type[Refusal], code: str, **fields: object) -> Iterator[pytest.ExceptionInfo[Refusal]]:
    """Expect an error of a kind and a code; `fields` are values it must name, others may stand beside them."""
    with pytest.raises(kind) as caught:
        yield caught
    assert caught.value.code == code
    assert {name: caught.value.fields.get(name) for name in fields} == fields
