"""Which ties an event has changed in a tick, and by how much."""

from typing import NamedTuple

from diorama.worlds.townlet.reference.state.chronicle import TieChange
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.ties import HOUR_TICKS


class _Feelings(NamedTuple):
    trust: float
    familiarity: float
    rivalry: float
    rivalry_tick: int


class TieWatch:
    """Compares ties at the end of a tick with those at its beginning."""

    def __init__(self, town: Town) -> None:
        """Begin with the ties there are."""
        self._before: dict[tuple[int, int], _Feelings] = {}
        self.look(town)

    def look(self, town: Town) -> None:
        """Remember the ties as they are."""
        self._before = {
            (citizen.number, tie.other): _Feelings(tie.trust, tie.familiarity, tie.rivalry, tie.rivalry_tick)
            for citizen in town.living()
            for tie in citizen.ties
        }

    def changes(self, town: Town) -> list[TieChange]:
        """What has changed since then; what has merely faded is left out."""
        return [change for citizen in town.living() if citizen.ties for change in self._changes_of(town, citizen)]

    def _changes_of(self, town: Town, citizen: Citizen) -> list[TieChange]:
        rule = town.config.relationships
        is_fading = town.tick % HOUR_TICKS == 0
        found = []
        for tie in citizen.ties:
            before = self._before.get((citizen.number, tie.other))
            known = before or _Feelings(0.0, 0.0, town.config.conflict.rivalry.min_value, town.tick)
            if before == (tie.trust, tie.familiarity, tie.rivalry, tie.rivalry_tick):
                continue
            trust, familiarity = tie.trust - known.trust, tie.familiarity - known.familiarity
            has_jumped = before is None or tie.rivalry_tick != known.rivalry_tick
            if is_fading and not has_jumped:
                faded = rule.trust_decay_per_hour + 1e-12, rule.familiarity_decay_per_hour + 1e-12
                if abs(trust) <= faded[0] and abs(familiarity) <= faded[1]:
                    continue
            rivalry = tie.rivalry - _faded(town, known) if has_jumped else 0.0
            other = town.citizen(tie.other).number
            found.append(TieChange(town.tick, citizen.number, other, trust, familiarity, rivalry, before is None))
        return found


def _faded(town: Town, known: _Feelings) -> float:
    rule = town.config.conflict.rivalry
    return max(rule.min_value, known.rivalry - rule.decay_per_tick * (town.tick - known.rivalry_tick))
