"""Entities: rows of a table inside the observation, which share one encoder and may be pointed at."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

import torch
from torch import nn

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import Dtype, ObservationField, WorldSpec
from diorama.learn.policies.layers import orthogonal_linear
from diorama.learn.settings.policy import EntitySettings

_HIDDEN_GAIN: Final = math.sqrt(2.0)
_TABLE_DIMENSIONS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityTable:
    """A field of the observation that is a table of entities × numbers.

    Attributes:
        field: Name of the field.
        start: Index of its first number among the float entries.
        count: Number of entities.
        features: Numbers of an entity.
        width: Width of an entity's embedding.
        first_option: Column of the logits that points at the first entity; None if no option points at entities.
    """

    field: str
    start: int
    count: int
    features: int
    width: int
    first_option: int | None

    @classmethod
    def of(cls, spec: WorldSpec, name: str, settings: EntitySettings) -> Self:
        """Return the table of this field.

        Raises:
            UnknownName: There is no such field.
            ConfigError: It is no table of floats, or the options do not match its entities.
        """
        tables = {item.name: item for item in spec.observation if _is_table(item)}
        if name not in tables:
            raise UnknownName.among("table of entities", name, tables, code="unknown_entity_table")
        count, features = tables[name].shape
        first = None if settings.options is None else _first_option(spec, name, settings.options, count)
        start = tables[name].start
        return cls(field=name, start=start, count=count, features=features, width=settings.width, first_option=first)

    @property
    def columns(self) -> range:
        """Columns of the field among the float entries."""
        return range(self.start, self.start + self.count * self.features)


def entity_tables(spec: WorldSpec, settings: Mapping[str, EntitySettings]) -> tuple[EntityTable, ...]:
    """Return the tables of a policy, in the order of the observation.

    Raises:
        UnknownName: A field does not exist.
        ConfigError: A field is no table, options do not match entities, or nothing else is observed.
    """
    tables = [EntityTable.of(spec, name, item) for name, item in settings.items()]
    if tables and sum(len(table.columns) for table in tables) == spec.obs_width:
        raise ConfigError(
            "policy.entities: leave out one field; entities are judged by what is observed besides",
            code="entities_without_context",
        )
    return tuple(sorted(tables, key=lambda table: table.start))


class EntityEncoder(nn.Module):
    """Embeds every entity of the tables by its own numbers and by the floats outside of all tables.

    The embeddings of a table are pooled by their maximum, and heads may point at them. A row of zeros is no entity: it
    embeds as zeros.

    Attributes:
        columns: Columns of the floats outside of all tables.
    """

    columns: torch.Tensor

    def __init__(self, tables: tuple[EntityTable, ...], obs_width: int, *, generator: torch.Generator) -> None:
        """Create the layers of all tables."""
        super().__init__()
        self.tables = tables
        inside = {column for table in tables for column in table.columns}
        outside = [column for column in range(obs_width) if column not in inside]
        self.register_buffer("columns", torch.tensor(outside, device="cpu"), persistent=False)

        def layer(inputs: int, outputs: int) -> nn.Linear:
            return orthogonal_linear(inputs, outputs, gain=_HIDDEN_GAIN, generator=generator)

        self.own = nn.ModuleList(layer(table.features, table.width) for table in tables)
        self.context = nn.ModuleList(layer(len(outside), table.width) for table in tables)
        self.embed = nn.ModuleList(layer(table.width, table.width) for table in tables)

    @property
    def pooled_width(self) -> int:
        """Width of all pooled embeddings."""
        return sum(table.width for table in self.tables)

    @property
    def pointed(self) -> tuple[EntityTable, ...]:
        """Tables with options that point at their entities."""
        return tuple(table for table in self.tables if table.first_option is not None)

    def pointed_at(self, embedded: list[torch.Tensor]) -> list[torch.Tensor]:
        """Return the embeddings of these tables, rows × (entities · width) each."""
        pairs = zip(self.tables, embedded, strict=True)
        return [entities.flatten(1) for table, entities in pairs if table.first_option is not None]

    def forward(self, obs: torch.Tensor) -> list[torch.Tensor]:
        """Return the embeddings of every table, rows × entities × width."""
        context = obs.index_select(1, self.columns)
        embedded = []
        for index, table in enumerate(self.tables):
            entities = obs[:, table.start : table.columns.stop].view(-1, table.count, table.features)
            hidden = torch.relu(self.own[index](entities) + self.context[index](context)[:, None, :])
            is_there = entities.ne(0.0).to(entities.dtype).amax(dim=2, keepdim=True)
            embedded.append(torch.relu(self.embed[index](hidden)) * is_there)
        return embedded


def pooled(embedded: list[torch.Tensor]) -> torch.Tensor:
    """Return the maximum over the entities of each table, rows × pooled width."""
    return torch.cat([entities.amax(dim=1) for entities in embedded], dim=1)


def _is_table(item: ObservationField) -> bool:
    return item.dtype is Dtype.FLOAT32 and len(item.shape) == _TABLE_DIMENSIONS


def _first_option(spec: WorldSpec, name: str, prefix: str, count: int) -> int:
    options = [option for head in spec.heads for option in head.options]
    wanted = [f"{prefix}{entity}" for entity in range(count)]
    first = options.index(wanted[0]) if wanted[0] in options else None
    if first is None or options[first : first + count] != wanted:
        raise ConfigError(
            f"policy.entities.{name}.options: {prefix!r} must be the beginning of one option for each of the {count}"
            f" entities, {wanted[0]} to {wanted[-1]}",
            code="entity_options_mismatch",
            field=name,
            options=prefix,
        )
    return first
