"""`LateAnswers`: commands without an id of their own whose sender was told to come back."""

import uuid
from collections import OrderedDict
from concurrent.futures import Future
from typing import Final

from diorama.operate.console.answers import Response
from diorama.operate.console.callers import Caller

_MOST: Final = 256


class LateAnswers:
    """Keeps answers that are still to come under ids it gives out; used from the event loop alone."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._waiting: OrderedDict[tuple[str, str], Future[Response]] = OrderedDict()

    def keep(self, answer: Future[Response], caller: Caller) -> str:
        """Keep an answer for whoever asked; returns the id to come back with."""
        given = uuid.uuid4().hex
        self._waiting[caller.issuer, given] = answer
        while len(self._waiting) > _MOST:
            self._waiting.popitem(last=False)
        return given

    def lookup(self, cmd_id: str, caller: Caller) -> Response | None:
        """Return an answer, one that says `pending` until it is there; None for an id that was not given out."""
        answer = self._waiting.get((caller.issuer, cmd_id))
        if answer is None:
            return None
        return {**answer.result(), "cmd_id": cmd_id} if answer.done() else {"cmd_id": cmd_id, "status": "pending"}
