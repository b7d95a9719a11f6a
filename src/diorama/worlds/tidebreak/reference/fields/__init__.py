"""MorphoSpace: what is spread through water and air, in bricks under a tree of summaries.

Begin with `space.py`, which is all a user needs; `crates/morphospace` is the native twin, equal bit for bit.
"""

from diorama.worlds.tidebreak.reference.fields.constants import Field, Op
from diorama.worlds.tidebreak.reference.fields.foveated import DEFAULT_SHELLS, Shell
from diorama.worlds.tidebreak.reference.fields.settings import FieldSettings
from diorama.worlds.tidebreak.reference.fields.shapes import Box, Capsule, Circle, Shape
from diorama.worlds.tidebreak.reference.fields.space import FieldSpace
from diorama.worlds.tidebreak.reference.fields.stamps import Mod, Stamp
from diorama.worlds.tidebreak.reference.fields.volume import VolumeReading

__all__ = [
    "DEFAULT_SHELLS",
    "Box",
    "Capsule",
    "Circle",
    "Field",
    "FieldSettings",
    "FieldSpace",
    "Mod",
    "Op",
    "Shape",
    "Shell",
    "Stamp",
    "VolumeReading",
]
