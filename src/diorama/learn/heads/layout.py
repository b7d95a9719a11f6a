"""Where each head's options lie in a row of logits or masks."""

from dataclasses import dataclass
from typing import Self

from diorama.contracts.spec import WorldSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadLayout:
    """Heads one after another; every tuple has one entry per head."""

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
        """Options of all heads together."""
        return sum(self.sizes)

    def slices(self) -> tuple[slice, ...]:
        """Return the columns of every head."""
        ends = [sum(self.sizes[: head + 1]) for head in range(len(self.sizes))]
        return tuple(slice(end - size, end) for end, size in zip(ends, self.sizes, strict=True))

    def only(self, head: int) -> "HeadLayout":
        """Return the layout of one head alone."""
        return HeadLayout(names=(self.names[head],), sizes=(self.sizes[head],), noops=(self.noops[head],))
