"""Components of units and munitions. The order of fields is the order of state words; field names are the contract's.

Who may write what: physics Transform, Motion and the bits GROUNDED and EXITED; layers Layer; command Posture and the
two `cmd_*`; fire Mounts; damage Hull, Compartments, losses of Crew and the bits DESTROYED and DISABLED; damage control
fire, flood and repair; fuel and support Stores; boarding Boarding, marines and CAPTURED; morale Morale and SURRENDERED;
tracks and links Tracks; objectives Objective. Tally is written by whoever does what it counts.
"""

from diorama.worlds.tidebreak.reference.components.adrift import Munition, Storm
from diorama.worlds.tidebreak.reference.components.condition import (
    Compartment,
    Crew,
    Hull,
    Identity,
    Morale,
    Mount,
    Posture,
    Stores,
)
from diorama.worlds.tidebreak.reference.components.contacts import NEVER, ContactMemory, MateFix, Track, Tracks
from diorama.worlds.tidebreak.reference.components.deeds import GROUPS, NO_OBJECTIVE, Boarding, Objective, Tally
from diorama.worlds.tidebreak.reference.components.memory import CONTACT_ROWS, Memory, Scratch
from diorama.worlds.tidebreak.reference.components.motion import (
    IN_TRANSIT,
    POPPING_UP,
    STEADY,
    LayerState,
    Motion,
    Transform,
)

__all__ = [
    "CONTACT_ROWS",
    "GROUPS",
    "IN_TRANSIT",
    "NEVER",
    "NO_OBJECTIVE",
    "POPPING_UP",
    "STEADY",
    "Boarding",
    "Compartment",
    "ContactMemory",
    "Crew",
    "Hull",
    "Identity",
    "LayerState",
    "MateFix",
    "Memory",
    "Morale",
    "Motion",
    "Mount",
    "Munition",
    "Objective",
    "Posture",
    "Scratch",
    "Stores",
    "Storm",
    "Tally",
    "Track",
    "Tracks",
    "Transform",
]
