"""The plan of a policy's action heads: layout, order, relevance, conditional masks, exploration."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.spec import ActionHead, WorldSpec
from diorama.learn.settings.policy import HeadSettings
from diorama.learn.settings.schedules import Scheduled, value_at


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadLayout:
    """Names, sizes and no-ops of the heads, whose logits are concatenated in this order."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    noops: tuple[int, ...]

    @classmethod
    def of(cls, spec: WorldSpec) -> Self:
        """Return the layout of a world."""
        return cls(
            names=tuple(head.name for head in spec.heads),
            sizes=tuple(len(head.options) for head in spec.heads),
            noops=spec.noop,
        )

    @property
    def options(self) -> int:
        """Number of options of all heads."""
        return sum(self.sizes)

    def slices(self) -> tuple[slice, ...]:
        """Return the columns of every head in the logits."""
        ends = [sum(self.sizes[: head + 1]) for head in range(len(self.sizes))]
        return tuple(slice(end - size, end) for end, size in zip(ends, self.sizes, strict=True))

    def only(self, head: int) -> "HeadLayout":
        """Return the layout of one head."""
        return HeadLayout(names=(self.names[head],), sizes=(self.sizes[head],), noops=(self.noops[head],))


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """A head matters where `table[choice of head `given`]` is true."""

    given: int
    table: tuple[bool, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionalMask:
    """The mask of a head is a row of an extra array: the row of the choice of head `given`."""

    given: int
    extra: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedHead:
    """Settings of one head, with names resolved to indices."""

    inputs: tuple[int, ...] = ()
    hidden: tuple[int, ...] = ()
    relevance: Relevance | None = None
    placeholder: int
    conditional_mask: ConditionalMask | None = None
    exploration: Scheduled = 0.0
    entropy_weight: float = 1.0

    @property
    def is_plain(self) -> bool:
        """Whether the head can use the joint linear layer and the mask of the environments."""
        return not self.inputs and not self.hidden and self.conditional_mask is None

    @property
    def depends_on(self) -> tuple[int, ...]:
        """Heads that must be chosen before this one."""
        mask = () if self.conditional_mask is None else (self.conditional_mask.given,)
        relevance = () if self.relevance is None else (self.relevance.given,)
        return (*self.inputs, *mask, *relevance)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadPlan:
    """All heads, and the order in which they are chosen."""

    layout: HeadLayout
    heads: tuple[PlannedHead, ...]
    order: tuple[int, ...]

    @property
    def is_stepwise(self) -> bool:
        """Whether heads are computed one by one rather than by one linear layer."""
        return not all(head.is_plain for head in self.heads)

    @property
    def has_relevance(self) -> bool:
        """Whether a head does not matter for some actions."""
        return any(head.relevance is not None for head in self.heads)

    @property
    def mask_extras(self) -> Mapping[str, int]:
        """Extra arrays with conditional masks, and their widths."""
        sizes = self.layout.sizes
        conditional = [(head.conditional_mask, size) for head, size in zip(self.heads, sizes, strict=True)]
        return {mask.extra: sizes[mask.given] * size for mask, size in conditional if mask is not None}

    @property
    def entropy_weights(self) -> tuple[float, ...]:
        """Weight of each head's entropy."""
        return tuple(head.entropy_weight for head in self.heads)

    def exploration(self, env_steps: int) -> tuple[float, ...]:
        """Return the scheduled share of uniform choice of each head."""
        return tuple(value_at(head.exploration, env_steps) for head in self.heads)


def plan_heads(spec: WorldSpec, settings: Mapping[str, HeadSettings]) -> HeadPlan:
    """Combine a world's heads with their settings.

    Raises:
        UnknownName: A head or option does not exist.
        ConfigError: Heads depend on one another in a cycle.
    """
    layout = HeadLayout.of(spec)
    for name in settings:
        _head_index(layout, name)
    heads = tuple(_planned(spec, layout, head, settings.get(head.name, HeadSettings())) for head in spec.heads)
    return HeadPlan(layout=layout, heads=heads, order=_choosing_order(layout, heads))


def _planned(spec: WorldSpec, layout: HeadLayout, head: ActionHead, settings: HeadSettings) -> PlannedHead:
    relevance = None
    if settings.relevance is not None:
        given = _head_index(layout, settings.relevance.given)
        chosen = {_option_index(spec.heads[given], option) for option in settings.relevance.options}
        relevance = Relevance(given=given, table=tuple(option in chosen for option in range(layout.sizes[given])))
    mask = settings.conditional_mask
    return PlannedHead(
        inputs=tuple(_head_index(layout, name) for name in settings.inputs),
        hidden=settings.hidden,
        relevance=relevance,
        placeholder=head.noop if settings.placeholder is None else _option_index(head, settings.placeholder),
        conditional_mask=None
        if mask is None
        else ConditionalMask(given=_head_index(layout, mask.given), extra=mask.extra),
        exploration=settings.exploration,
        entropy_weight=settings.entropy_weight,
    )


def _choosing_order(layout: HeadLayout, heads: tuple[PlannedHead, ...]) -> tuple[int, ...]:
    order: list[int] = []
    while len(order) < len(heads):
        ready = [
            i for i, head in enumerate(heads) if i not in order and all(other in order for other in head.depends_on)
        ]
        if not ready:
            names = [layout.names[i] for i in range(len(heads)) if i not in order]
            raise ConfigError(
                f"policy.heads: {', '.join(names)} depend on one another in a cycle",
                code="heads_depend_in_cycle",
                heads=tuple(names),
            )
        order.append(ready[0])
    return tuple(order)


def _head_index(layout: HeadLayout, name: str) -> int:
    if name not in layout.names:
        raise UnknownName.among("action head", name, layout.names, code="unknown_action_head")
    return layout.names.index(name)


def _option_index(head: ActionHead, option: str) -> int:
    if option not in head.options:
        raise UnknownName.among(f"option of head {head.name!r}", option, head.options, code="unknown_action_option")
    return head.options.index(option)
