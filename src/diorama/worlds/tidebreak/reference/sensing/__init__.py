"""What units know of one another: excesses, measurements, tracks, identification and the data mesh.

`sense` is the plugin and the three resolvers follow it in this order; every other module is one rule.
"""

from diorama.worlds.tidebreak.reference.sensing.detection import resolve_detections, sense
from diorama.worlds.tidebreak.reference.sensing.incoming import sensed_munitions
from diorama.worlds.tidebreak.reference.sensing.links import resolve_links
from diorama.worlds.tidebreak.reference.sensing.tracking import resolve_tracks

__all__ = ["resolve_detections", "resolve_links", "resolve_tracks", "sense", "sensed_munitions"]
