"""`Arena`: what all sources of matches share."""

from dataclasses import dataclass

import torch

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.engine.tiers import build_core
from diorama.learn.evaluation.venue import Venue
from diorama.learn.keyed import subseed
from diorama.learn.matches.frozen import FrozenPolicies
from diorama.learn.matches.match import LATEST, Match, MatchResult
from diorama.learn.matches.matchmaker import Matchmaker
from diorama.learn.matches.observing import Observed
from diorama.learn.streams import MATCH_SEEDS


@dataclass(slots=True)
class Table:
    """One copy: what it plays, on what."""

    match: Match
    core: BatchCore
    config: WorldConfig


class Arena:
    """What all parts of a source share: the world, who is met, frozen policies and what they remember.

    Attributes:
        stored: What every copy played when the run was saved; read while copies are restored.
        elsewhere: What every copy plays, where others than this arena's sources play it.
    """

    def __init__(self, venue: Venue, matchmaker: Matchmaker, *, copies: int, seed: int, memory_width: int) -> None:
        """Prepare copies of a venue; no match is opened yet."""
        self.venue = venue
        self.spec = venue.spec
        self.matchmaker = matchmaker
        self.seed = seed
        self.frozen = FrozenPolicies()
        self.memory = torch.zeros(copies * self.spec.agents, memory_width)
        self.stored: list[Match] = []
        self.tables: list[Table | None] = [None] * copies
        self.elsewhere: list[Match] | None = None
        self.finished: list[list[MatchResult]] = []
        self.observed: list[list[Observed]] = []
        self._configs: dict[tuple[int, int, int, str], WorldConfig] = {}

    def config(self, match: Match) -> WorldConfig:
        """Return the configuration of a match.

        Raises:
            ConfigError: It changes what is seen or decided, or the number of seats.
        """
        maker = self.matchmaker
        kind = LATEST if maker.is_mirrored(match.opponent) else match.opponent
        key = (match.stage, match.lesson, match.station, kind)
        if key not in self._configs:
            world = self.venue.world
            given = {**self.venue.config.model_dump(exclude_unset=True), **maker.overrides(match)}
            config = parse_config(world.id, world.config_type, given)
            _check_same_shape(self.spec, world.describe(config))
            self._configs[key] = config
        return self._configs[key]

    def core(self, config: WorldConfig, copy: int, number: int) -> BatchCore:
        """Build one copy of the world; its episodes depend on the copy and the match it begins with."""
        request = CoreRequest(copies=1, seed=subseed(self.seed, MATCH_SEEDS, number, copy), threads=1, device="cpu")
        _, _, core = build_core(self.venue.world, config, self.venue.tier, request)
        return core

    @property
    def matches(self) -> list[Match]:
        """What every copy plays now."""
        if self.elsewhere is not None:
            return self.elsewhere
        return [table.match for table in self.tables if table is not None]

    def results_of(self, step: int) -> list[MatchResult]:
        """Return the matches that ended in a vector step, in the order of the copies."""
        found = []
        for part in self.finished:
            while part and part[0].step <= step:
                found.append(part.pop(0))
        return found

    def observed_in(self, step: int) -> list[Observed]:
        """Return what was seen of a vector step, in the order of the copies."""
        return [part.pop(0) for part in self.observed if part and part[0].step <= step]


def _check_same_shape(wanted: WorldSpec, found: WorldSpec) -> None:
    for name in ("agents", "observation", "heads", "metrics"):
        if getattr(wanted, name) != getattr(found, name):
            raise ConfigError(f"a match changes the {name} of {wanted.world!r}; they must be the same in all of them")
