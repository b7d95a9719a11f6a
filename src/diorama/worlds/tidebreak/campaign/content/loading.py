"""The campaign's tables, read once, and looked up by kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

from diorama.worlds.tidebreak.campaign.content.tables import (
    ActionRow,
    ChainRow,
    DecisionRow,
    EconomyFile,
    GovernmentRow,
    PeopleFile,
    PoliticsFile,
    TreatyRow,
)
from diorama.worlds.tidebreak.campaign.kinds import ActionKind, Chain, DecisionKind, GovernmentKind, TreatyKind
from diorama.worlds.tidebreak.content.yaml_tables import read_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Everything authored that the rules of a campaign read."""

    economy: EconomyFile
    politics: PoliticsFile
    people: PeopleFile
    chains: Mapping[Chain, ChainRow]
    governments: Mapping[GovernmentKind, GovernmentRow]
    decisions: Mapping[DecisionKind, DecisionRow]
    actions: Mapping[ActionKind, ActionRow]
    treaties: Mapping[TreatyKind, TreatyRow]


@cache
def tables() -> Tables:
    """Return the tables that ship with the world."""
    folder = resources.files(__package__)
    economy = read_table(folder / "economy.yaml", EconomyFile)
    politics = read_table(folder / "politics.yaml", PoliticsFile)
    return Tables(
        economy=economy,
        politics=politics,
        people=read_table(folder / "people.yaml", PeopleFile),
        chains=MappingProxyType({row.name: row for row in economy.chains}),
        governments=MappingProxyType({row.name: row for row in politics.governments}),
        decisions=MappingProxyType({row.name: row for row in politics.decisions}),
        actions=MappingProxyType({row.name: row for row in politics.actions}),
        treaties=MappingProxyType({row.name: row for row in politics.treaties}),
    )
