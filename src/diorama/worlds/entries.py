"""Our own worlds as lists know them: where each is, which contract it keeps and what it is, without loading it."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Entry(NamedTuple):
    """A world that nobody has asked for yet."""

    module: str
    interface_version: str
    summary: str
    """One sentence; the registration of the world takes it from here."""


ENTRIES: Final[Mapping[str, Entry]] = {
    "prospector": Entry(
        "diorama.worlds.prospector",
        "prospector-v1",
        "One pilot mines, trades and survives in an asteroid belt.",
    ),
    "tidebreak": Entry(
        "diorama.worlds.tidebreak",
        "tidebreak-v1",
        "Ships fight over three depth layers with what their sensors tell them.",
    ),
    "townlet": Entry(
        "diorama.worlds.townlet",
        "townlet-v1",
        "A few citizens live, work, queue and quarrel in a small town.",
    ),
    "gameboy": Entry(
        "diorama.worlds.gameboy",
        "gameboy-v1",
        "Thousands of monochrome Game Boys at once, played by pictures or by rules over their memory.",
    ),
    "morphogenesis": Entry(
        "diorama.worlds.morphogenesis",
        "morphogenesis-v1",
        "A network grows modules while it trains, and a controller decides when.",
    ),
}
