"""What a captain sees, in binary64; it is rounded to float32 once, when it is stored.

`layout.py` of the world tells the places. `observation` is the whole row, `compact` the shorter profile of it, and
`publish_contacts`, once per tick, keeps what the contact rows stand for until the next decision names one of them.
"""

from diorama.worlds.tidebreak.layout import (
    COMPACT_HOSTILE_ROWS,
    CONTACT_COLUMNS,
    CONTACT_ROWS,
    HOSTILE_ROWS,
    OBS_WIDTH,
    Env,
    Own,
)
from diorama.worlds.tidebreak.reference.observe.contacts import show_contacts
from diorama.worlds.tidebreak.reference.observe.environment import show_environment
from diorama.worlds.tidebreak.reference.observe.own_state import show_own_state
from diorama.worlds.tidebreak.reference.observe.rows import ContactRows, contact_rows, publish_contacts
from diorama.worlds.tidebreak.reference.state import Battle, Unit

__all__ = ["ContactRows", "compact", "contact_rows", "observation", "publish_contacts"]


def observation(battle: Battle, unit: Unit) -> list[float]:
    """Return the three blocks one after another; zeros for a unit that is gone."""
    if not unit.is_present:
        return [0.0] * OBS_WIDTH
    return [*show_own_state(battle, unit), *show_contacts(battle, unit), *show_environment(battle, unit)]


def compact(observed: list[float]) -> list[float]:
    """Leave out contact rows 6-9 and what the fields look like around the unit."""
    first_contact = Own.SIZE
    kept = first_contact + COMPACT_HOSTILE_ROWS * CONTACT_COLUMNS
    resumed = first_contact + HOSTILE_ROWS * CONTACT_COLUMNS
    environment = first_contact + CONTACT_ROWS * CONTACT_COLUMNS
    return observed[:kept] + observed[resumed : environment + Env.FOVEATED]
