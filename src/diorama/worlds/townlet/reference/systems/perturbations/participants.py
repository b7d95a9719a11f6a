"""Who is asked to meet."""

from itertools import combinations

from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.ties import rivalry_of
from diorama.worlds.townlet.tables.perturbations import PerturbationRow


def pick_participants(town: Town, row: PerturbationRow) -> list[int]:
    """Seats of those who are asked; fewer than two if there are not enough who may be asked again.

    The worst rivals come first, of equals those who were asked less often, then lower seats. Without any rivalry, or
    where anybody will do, the list is shuffled: the only case that draws.
    """
    eligible = [citizen for citizen in town.living() if town.tick >= citizen.meet_ready_tick]
    if len(eligible) < 2:
        return []
    if row.picks_rivals:
        best: tuple[int, int] | None = None
        best_key = (0.0, 0)
        for first, second in combinations(eligible, 2):
            rivalry = rivalry_of(town, first, second.seat) + rivalry_of(town, second, first.seat)
            key = (rivalry, -(first.tally.selections + second.tally.selections))
            if rivalry > 0.0 and (best is None or key > best_key):
                best, best_key = (first.seat, second.seat), key
        if best is not None:
            return list(best)
    seats = [citizen.seat for citizen in eligible]
    town.streams.events.shuffle(seats)
    return seats[:2] if row.picks_rivals else seats[: row.max_participants]
