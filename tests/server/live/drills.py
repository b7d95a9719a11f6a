"""Every command once, as rehearsals give it; each who drills has a snapshot of their own."""

from diorama.cli.townlet.rehearse_drills import TOWN_DRILLS
from diorama.operate.rehearsals.drills import Drill, drills_of


def drills(place: str) -> tuple[Drill, ...]:
    """Return the drills of somebody; the first saves the town, the last puts it back for whoever drills next."""
    return drills_of(TOWN_DRILLS, saved=f"drill-{place}")
