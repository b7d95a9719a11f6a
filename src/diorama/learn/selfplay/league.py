"""`Arena`: matches of the learner against frozen policies and bots."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.values import I32
from diorama.engine.tiers import build_core
from diorama.engine.venue import Venue
from diorama.learn.keyed_random import DrawKey, subseed
from diorama.learn.policies.distributions import Drawing
from diorama.learn.policies.policy import Policy
from diorama.learn.selfplay.match import LATEST, Match, MatchResult, Observed
from diorama.learn.selfplay.matchmaking import Matchmaker
from diorama.learn.streams import MATCH_SEEDS


class FrozenPolicies:
    """Policies by the name of their snapshot; they stand still and live on the CPU."""

    def __init__(self) -> None:
        """Begin without any."""
        self._policies: dict[str, Policy] = {}

    def add(self, name: str, policy: Policy) -> None:
        """Take in a policy, which nobody changes any more."""
        self._policies[name] = policy.eval()

    @property
    def policies(self) -> Mapping[str, Policy]:
        """Everybody by name."""
        return self._policies

    def keep(self, names: set[str]) -> None:
        """Let go of everybody else."""
        self._policies = {name: policy for name, policy in self._policies.items() if name in names}

    @torch.inference_mode()
    def act(
        self, groups: Mapping[str, torch.Tensor], seen: Buffers, memory: torch.Tensor, key: DrawKey, actions: I32
    ) -> None:
        """Write the decisions of the rows of every policy.

        Args:
            groups: Rows of each snapshot.
            seen: What the rows see now.
            memory: Rows × memory width; what they remember, and afterwards remember.
            key: What the draws are for; its step is the place of the group.
            actions: Rows × heads; the rows of the groups are written.
        """
        obs, obs_u8 = torch.from_numpy(seen.obs), torch.from_numpy(seen.obs_u8)
        masks, starts = torch.from_numpy(seen.masks), torch.from_numpy(seen.episode_start)
        written = torch.from_numpy(actions)
        for place, (name, rows) in enumerate(groups.items()):
            policy = self._policies[name]
            features, remembered = policy.features(
                obs.index_select(0, rows),
                obs_u8.index_select(0, rows),
                memory.index_select(0, rows),
                starts.index_select(0, rows)[None],
            )
            memory[rows] = remembered
            heads = len(policy.heads.plan.entropy_weights)
            chosen = torch.zeros(len(rows), heads, dtype=torch.int32)
            policy.heads.choose(
                features.actor,
                masks.index_select(0, rows) if masks.shape[1] else None,
                {},
                Drawing(
                    exploration=(0.0,) * heads,
                    key=DrawKey(seed=key.seed, update=key.update, step=place, row=key.row),
                ),
                actions=chosen,
                log_probs=torch.zeros(len(rows), heads),
            )
            written[rows] = chosen


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
