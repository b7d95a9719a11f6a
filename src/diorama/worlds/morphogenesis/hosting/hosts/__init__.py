"""The networks that seeds are planted in."""

from diorama.worlds.morphogenesis.hosting.hosts.base import Graft, Host
from diorama.worlds.morphogenesis.hosting.hosts.cnn import CnnHost
from diorama.worlds.morphogenesis.hosting.hosts.transformer import TransformerHost

__all__ = ["CnnHost", "Graft", "Host", "TransformerHost"]
