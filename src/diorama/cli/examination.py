"""Finds out what works on this machine."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from textwrap import fill

import numpy as np

from diorama.contracts.errors import DioramaError
from diorama.contracts.tiers import Tier
from diorama.contracts.values import JsonObject
from diorama.engine.make import make
from diorama.engine.system_facts import system_facts
from diorama.worlds.registry import world_ids

_DISTRIBUTION = "diorama"
_VERSIONS_SHOWN = ("numpy", "gymnasium", "pydantic", "torch")
_EXTRA = re.compile(r"""^(?P<package>[\w.-]+).*;.*\bextra\s*==\s*['"](?P<extra>[\w.-]+)['"]""")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldHealth:
    """Why each tier of a world does not run; None where it does."""

    world: str
    troubles: dict[Tier, str | None]

    @property
    def can_run(self) -> bool:
        """Whether at least one tier runs."""
        return None in self.troubles.values()


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What was found.

    Attributes:
        system: Machine and versions, as in every report.
        packages: Version of each package that matters; None where it is missing.
        gpu: What torch says about accelerators.
        policies: What computes small policies on the CPU.
        worlds: In registry order.
        extras: Packages each optional extra still lacks.
    """

    system: JsonObject
    packages: dict[str, str | None]
    gpu: str
    policies: str
    worlds: tuple[WorldHealth, ...]
    extras: dict[str, list[str]]

    def document(self) -> JsonObject:
        """Return the JSON form."""
        return {
            "system": self.system,
            "packages": self.packages,
            "gpu": self.gpu,
            "policies": self.policies,
            "worlds": {
                health.world: {
                    tier.value: {"runs": trouble is None, "why_not": trouble}
                    for tier, trouble in health.troubles.items()
                }
                for health in self.worlds
            },
            "extras": {extra: {"complete": not missing, "missing": missing} for extra, missing in self.extras.items()},
        }

    def words(self, columns: int | None = None) -> str:
        """Return the text form: what is found stands in one column, wrapped where lines are so many columns wide."""
        rows = list(self._rows())
        margin = max(len(label) for label, found in rows if found) + 2
        return "\n".join(_line(label, found, margin, columns) for label, found in rows)

    def _rows(self) -> Iterator[tuple[str, str]]:
        yield from ((name, str(value)) for name, value in self.system.items())
        yield from ((name, version or "not installed") for name, version in self.packages.items())
        yield "gpu", self.gpu
        yield "policies", self.policies
        for health in self.worlds:
            yield f"world {health.world}", ""
            yield from ((f"  {tier.value}", trouble or "runs") for tier, trouble in health.troubles.items())
        if self.extras:
            yield "extras", ""
        for extra, missing in self.extras.items():
            yield f"  {extra}", f"lacks {', '.join(missing)}" if missing else "complete"


def _line(label: str, found: str, margin: int, columns: int | None) -> str:
    whole = f"{label:{margin}}{found}".rstrip()
    if columns is None:
        return whole
    # Names of packages and versions stay in one piece.
    return fill(whole, columns, subsequent_indent=" " * margin, break_on_hyphens=False, break_long_words=False)


def examine() -> Examination:
    """Try everything out; a few seconds at most."""
    return Examination(
        system=system_facts(),
        packages={name: _version(name) for name in _VERSIONS_SHOWN},
        gpu=_gpu(),
        policies=_policies(),
        worlds=tuple(
            WorldHealth(world=world, troubles={tier: _trouble(world, tier) for tier in Tier}) for world in world_ids()
        ),
        extras=_extras(),
    )


def _trouble(world: str, tier: Tier) -> str | None:
    try:
        batch = make(world, tier=tier, threads=1)
        batch.reset()
        batch.step(np.tile(np.array(batch.spec.noop, np.int32), (batch.rows, 1)))
    except DioramaError as error:
        return str(error)
    return None


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _gpu() -> str:
    if find_spec("torch") is None:
        return "unknown: torch is not installed"
    try:
        import torch
    except (ImportError, OSError) as error:
        return f"unknown: torch does not load ({error})"
    if not torch.cuda.is_available():
        return "none that torch can use"
    return ", ".join(torch.cuda.get_device_name(place) for place in range(torch.cuda.device_count()))


def _policies() -> str:
    if find_spec("torch") is None:
        return "none: torch is not installed"
    from diorama.learn.native import why_unavailable

    reason = why_unavailable()
    return "native where their layers allow it, else torch" if reason is None else f"torch: {reason}"


def _extras() -> dict[str, list[str]]:
    if _version(_DISTRIBUTION) is None:
        return {}  # run from a source tree: nothing says which extras there are
    missing: dict[str, list[str]] = {}
    for line in metadata.requires(_DISTRIBUTION) or []:
        match = _EXTRA.match(line)
        if match is not None:
            packages = missing.setdefault(match["extra"], [])
            if _version(match["package"]) is None:
                packages.append(match["package"])
    return missing
