"""How seeds of several blueprints compute together: layers of one kind and size run as one, whatever they belong to.

Every seed is a short list of layers around its last norm. All last norms run at one time; what comes before or after
them in a seed runs so much earlier or later. Layers that fall on one time and are alike are one step.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from diorama.worlds.morphogenesis.engine.stacked.picking import Part, Picked, Picker, Wish, named

Run = Callable[[Tensor, Mapping[str, Tensor]], Tensor]


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of a seed.

    Attributes:
        kind: Layers of equal kind can run together.
        run: What it does, to the features of many seeds with its parameters by name.
        names: Its parameters: name in the layer, and name in the seed.
    """

    kind: tuple[object, ...]
    run: Run
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Track:
    """The layers of seeds of one structure by time; 0 is that of the last norm."""

    layers: Mapping[int, Layer]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class _Block:
    """Features of some tracks, which lie side by side in one value."""

    value: int
    tracks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Cut:
    source: int
    sizes: tuple[int, ...]
    first: int

    def run(self, values: dict[int, Tensor], picked: Picked) -> None:
        for place, part in enumerate(values.pop(self.source).split(self.sizes)):
            values[self.first + place] = part


@dataclass(frozen=True, slots=True)
class _Join:
    sources: tuple[int, ...]
    result: int

    def run(self, values: dict[int, Tensor], picked: Picked) -> None:
        values[self.result] = torch.cat([values.pop(source) for source in self.sources])


@dataclass(frozen=True, slots=True)
class _Step:
    source: int
    result: int
    layer: Layer
    wishes: Mapping[str, Wish]

    def run(self, values: dict[int, Tensor], picked: Picked) -> None:
        values[self.result] = self.layer.run(values.pop(self.source), named(picked, self.wishes))


class Program:
    """Runs the tracks from their entries to their ends, in their order."""

    def __init__(self, tracks: Sequence[Track], picker: Picker) -> None:
        """Find out what runs together, and wish for the parameters."""
        self._tracks = tracks
        self._picker = picker
        self._moves: list[_Cut | _Join | _Step] = []
        self._values = 1
        self._blocks = [_Block(0, tuple(range(len(tracks))))]
        for time in sorted({time for track in tracks for time in track.layers}):
            self._schedule(time)
        self._end = self._gather(tuple(range(len(tracks))))

    def __call__(self, entry: Tensor, picked: Picked) -> Tensor:
        """Return what comes out of all tracks, from what goes into them."""
        values = {0: entry}
        for move in self._moves:
            move.run(values, picked)
        return values[self._end]

    def _schedule(self, time: int) -> None:
        alike: dict[tuple[object, ...], list[int]] = {}
        for place, track in enumerate(self._tracks):
            if time in track.layers:
                alike.setdefault(track.layers[time].kind, []).append(place)
        for places in alike.values():
            source = self._gather(tuple(places))
            layers = [(track.layers[time], track.parts) for track in (self._tracks[place] for place in places)]
            wishes = {
                own: self._picker.wish([(part, layer.names[own]) for layer, parts in layers for part in parts])
                for own in layers[0][0].names
            }
            self._moves.append(_Step(source, self._new(), layers[0][0], wishes))
            self._blocks.append(_Block(self._values - 1, tuple(places)))

    def _gather(self, wanted: tuple[int, ...]) -> int:
        """Bring tracks together in one value and return it; their blocks are used up."""
        found: list[_Block] = []
        for block in [block for block in self._blocks if set(block.tracks) & set(wanted)]:
            self._blocks.remove(block)
            runs = _runs(block.tracks, wanted)
            pieces = [_Block(block.value, block.tracks)] if len(runs) == 1 else self._cut(block, runs)
            for piece in pieces:
                if piece.tracks[0] in wanted:
                    found.append(piece)
                else:
                    self._blocks.append(piece)
        found.sort(key=lambda piece: piece.tracks[0])
        if len(found) == 1:
            return found[0].value
        self._moves.append(_Join(tuple(piece.value for piece in found), self._new()))
        return self._values - 1

    def _cut(self, block: _Block, runs: Sequence[tuple[int, ...]]) -> list[_Block]:
        sizes = tuple(sum(len(self._tracks[track].parts) for track in run) for run in runs)
        first = self._values
        self._moves.append(_Cut(block.value, sizes, first))
        self._values += len(runs)
        return [_Block(first + place, run) for place, run in enumerate(runs)]

    def _new(self) -> int:
        self._values += 1
        return self._values - 1


def _runs(tracks: tuple[int, ...], wanted: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Cut tracks where being wanted begins or ends, and where something else is wanted in between."""
    place = {track: number for number, track in enumerate(wanted)}
    runs: list[tuple[int, ...]] = []
    for track in tracks:
        last = runs[-1][-1] if runs else None
        follows = last is not None and (
            place[track] == place[last] + 1
            if track in place and last in place
            else track not in place and last not in place
        )
        if follows:
            runs[-1] = (*runs[-1], track)
        else:
            runs.append((track,))
    return runs
