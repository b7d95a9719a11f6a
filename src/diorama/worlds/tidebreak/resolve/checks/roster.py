"""Teams, ships and content that must fit together by name."""

from collections.abc import Iterator, Sequence

from diorama.worlds.tidebreak.content import Content
from diorama.worlds.tidebreak.limits import TEAMS_MAX, TEAMS_MIN, UNITS_MAX, UNITS_MIN
from diorama.worlds.tidebreak.packages.draft import Draft
from diorama.worlds.tidebreak.packages.problems import Problem
from diorama.worlds.tidebreak.packages.structure import dotted


def check_content(draft: Draft, content: Content) -> Iterator[Problem]:
    """P060: made for other tables."""
    if draft.content_hash is not None and draft.content_hash != content.content_hash:
        yield Problem("P060", "content_hash", f"{draft.content_hash!r} is not the loaded {content.content_hash!r}")


def check_teams(draft: Draft, _content: Content) -> Iterator[Problem]:
    """P020, P021, P022: teams by name and number."""
    if draft.team_ids is None:
        return
    if not TEAMS_MIN <= len(draft.team_ids) <= TEAMS_MAX:
        yield Problem("P021", "teams", f"there are {len(draft.team_ids)}; a battle has 2 to 4")
    yield from _repeated(draft.team_ids, "teams", "team_id", "P020")
    if draft.ship_ids is None:
        return
    served = {ship.team_id for ship in draft.ship_ids}
    if None not in served:
        for index, team_id in enumerate(draft.team_ids):
            if team_id is not None and team_id not in served:
                yield Problem("P021", dotted("teams", index), f"{team_id!r} has no ships")
    if None not in draft.team_ids:
        for index, ship in enumerate(draft.ship_ids):
            if ship.team_id is not None and ship.team_id not in draft.team_ids:
                yield Problem("P022", dotted("ships", index, "team_id"), f"there is no team {ship.team_id!r}")


def check_ship_ids(draft: Draft, _content: Content) -> Iterator[Problem]:
    """P030, P031: ships by name and number."""
    if draft.ship_ids is None:
        return
    count = len(draft.ship_ids)
    if count > UNITS_MAX:
        yield Problem("P031", "ships", f"there are {count}; a battle has at most {UNITS_MAX}")
    if count < UNITS_MIN:
        yield Problem("P021", "ships", f"there are {count}; every one of 2 to 4 teams needs a ship")
    yield from _repeated([ship.ship_id for ship in draft.ship_ids], "ships", "ship_id", "P030")


def _repeated(ids: Sequence[str | None], table: str, key: str, code: str) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, name in enumerate(ids):
        if name is None:
            continue
        if name in seen:
            yield Problem(code, dotted(table, index, key), f"{name!r} is taken already")
        seen.add(name)
