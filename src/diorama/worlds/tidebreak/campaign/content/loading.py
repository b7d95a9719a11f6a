"""The campaign's tables, read once, and looked up by kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from diorama.contracts.errors import ConfigError
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

_ModelT = TypeVar("_ModelT", bound=BaseModel)


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
    economy = read_yaml(folder / "economy.yaml", EconomyFile)
    politics = read_yaml(folder / "politics.yaml", PoliticsFile)
    return Tables(
        economy=economy,
        politics=politics,
        people=read_yaml(folder / "people.yaml", PeopleFile),
        chains=MappingProxyType({row.name: row for row in economy.chains}),
        governments=MappingProxyType({row.name: row for row in politics.governments}),
        decisions=MappingProxyType({row.name: row for row in politics.decisions}),
        actions=MappingProxyType({row.name: row for row in politics.actions}),
        treaties=MappingProxyType({row.name: row for row in politics.treaties}),
    )


def read_yaml(file: Traversable, model: type[_ModelT]) -> _ModelT:
    """Read a YAML document strictly.

    Raises:
        ConfigError: With the file and the place in it.
    """
    try:
        return model.model_validate(yaml.safe_load(file.read_bytes()))
    except OSError as error:
        raise ConfigError(f"{file.name}: cannot be read ({error.strerror})") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{file.name}: {error}; it must be YAML") from None
    except ValidationError as error:
        problems = [
            f"{file.name} {'.'.join(str(part) for part in item['loc'])}: {item['msg']}"
            for item in error.errors(include_url=False)
        ]
        raise ConfigError("; ".join(problems)) from None
