"""The state of a town: records whose fields, in order, are the words of its hash."""

from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.objects import ObjectState, QueueEntry
from diorama.worlds.townlet.reference.state.ties import Tie
from diorama.worlds.townlet.reference.state.town import Town

__all__ = ["Citizen", "ObjectState", "QueueEntry", "Tie", "Town"]
