"""One console played by hand: which ROMs there are, a lane with keys and a picture, and what is inside of it."""

from diorama.worlds.gameboy.console.consoles import CONSOLES

__all__ = ["CONSOLES"]
