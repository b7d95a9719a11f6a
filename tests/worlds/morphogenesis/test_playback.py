"""What is asked of a graphics card once it has refused a recording; the card itself is a stand-in here."""

from collections.abc import Callable
from contextlib import nullcontext

import pytest
import torch

from diorama.device_recording import Recording
from diorama.worlds.morphogenesis.engine.stacked import playback as module
from diorama.worlds.morphogenesis.engine.stacked.playback import Playback


class Pair:
    """Two pieces of work, the second of which takes what the first has made."""

    def __init__(self) -> None:
        self.made = 0
        self.taken: list[int] = []
        self._gradient = 0

    def make(self) -> None:
        self.made += 1
        self._gradient = self.made

    def take(self) -> None:
        self.taken.append(self._gradient)

    def take_again(self) -> None:
        self.take()


class Card:
    """Captures work with the values it meets, as a graphics card keeps addresses, and refuses some of it."""

    def __init__(self, refused: Callable[[], None]) -> None:
        self._refused = refused

    def capture(self, recording: Recording, stream: object) -> "Graph":
        work = recording._work
        if work == self._refused:
            raise RuntimeError("operation not permitted when stream is capturing")
        return Graph(work)


class Graph:
    def __init__(self, work: Callable[[], None]) -> None:
        pair = work.__self__  # type: ignore[attr-defined]  # methods of a pair
        self._replayed = (
            (lambda stale=pair._gradient: pair.taken.append(stale)) if work != pair.make else (lambda: None)
        )

    def replay(self) -> None:
        self._replayed()


@pytest.mark.parametrize("refused", ["make", "take"])
def test_one_refusal_ends_all_playing_back(refused: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Pair()
    card = Card(getattr(pair, refused))
    monkeypatch.setattr(module, "side_stream", lambda *_, **__: object())
    monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: None)
    monkeypatch.setattr(torch.cuda, "stream", lambda _: nullcontext())
    monkeypatch.setattr(Recording, "_record", lambda recording, stream: card.capture(recording, stream))
    playback = Playback("cuda", is_recorded=True)
    other = playback.of(pair.take_again)
    for _ in range(3):
        other.run()
    pair.taken.clear()
    making, taking = playback.of(pair.make), playback.of(pair.take)

    making.run()
    taking.run()
    with pytest.warns(UserWarning, match="without recordings"):
        _run(making, taking)
    for _ in range(3):
        making.run()
        taking.run()
        other.run()

    last_three = pair.taken[-6:]
    assert last_three == [value for value in range(pair.made - 2, pair.made + 1) for _ in range(2)]


def _run(*recordings: Recording) -> None:
    for recording in recordings:
        recording.run()
