"""The sides of a battle."""

from pydantic import Field

from diorama.worlds.tidebreak.packages.base import Exchange, Identifier, Share, Text


class Philosophy(Exchange):
    """What a faction believes in."""

    militarism: Share = 0.5
    commercialism: Share = 0.5
    isolationism: Share = 0.5
    expansionism: Share = 0.5
    traditionalism: Share = 0.5


class FactionContext(Exchange):
    """Whom a team fights for; `at_war_with` lists faction ids."""

    faction_id: Identifier
    philosophy: Philosophy | None = None
    tech_tags: tuple[Text, ...] = Field((), max_length=64)
    morale_state: Share = 0.7
    at_war_with: tuple[Identifier, ...] = Field((), max_length=64)


class Team(Exchange):
    """One side."""

    team_id: Identifier
    name: Text = ""
    faction_context: FactionContext | None = None


def are_enemies(a: Team, b: Team, *, contexts_given: bool) -> bool:
    """Whether two teams are at war.

    Args:
        a: One team.
        b: Another team.
        contexts_given: Some team of the battle has a faction context; otherwise everyone fights everyone.
    """
    if not contexts_given:
        return True
    first, second = a.faction_context, b.faction_context
    if first is None or second is None:
        return False
    return second.faction_id in first.at_war_with or first.faction_id in second.at_war_with
