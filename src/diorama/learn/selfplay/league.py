"""`League`: the state that the self-play environments of a run share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

import torch

from diorama.contracts.bots import BatchedBot
from diorama.contracts.buffers import Buffers
from diorama.contracts.capabilities import ReconfigurableCore
from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import WorldSpec
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.values import I32
from diorama.engine.batched_bots import open_batched_bot
from diorama.engine.tiers import build_core
from diorama.engine.venue import Venue
from diorama.learn.keyed_random import DrawKey, subseed
from diorama.learn.policies.distributions import ActionSampling
from diorama.learn.policies.policy import Policy
from diorama.learn.selfplay.match import LATEST, Match, MatchResult, StepStats
from diorama.learn.selfplay.matchmaking import Matchmaker
from diorama.learn.selfplay.seated_bots import SeatedBots
from diorama.learn.streams import MATCH_SEEDS
from diorama.learn.teachers import stack_memories


class FrozenPolicies:
    """Past policies by the name of their snapshot; on the CPU and in evaluation mode."""

    def __init__(self) -> None:
        """Start empty."""
        self._policies: dict[str, Policy] = {}

    def add(self, name: str, policy: Policy) -> None:
        """Add a policy; the caller must not change it afterwards."""
        self._policies[name] = policy.eval()

    @property
    def policies(self) -> Mapping[str, Policy]:
        """All policies by name."""
        return self._policies

    def keep(self, names: set[str]) -> None:
        """Drop all policies but these."""
        self._policies = {name: policy for name, policy in self._policies.items() if name in names}

    @torch.inference_mode()
    def act(
        self, groups: Mapping[str, torch.Tensor], buffers: Buffers, memory: torch.Tensor, key: DrawKey, actions: I32
    ) -> None:
        """Write the actions of all rows that frozen policies play.

        Args:
            groups: Row indices by snapshot.
            buffers: Current observations, masks and episode starts.
            memory: Rows × memory width; the rows of the groups are updated in place.
            key: Key of the random draws; the index of the group replaces its step.
            actions: Rows × heads; the rows of the groups are written.
        """
        obs, obs_u8 = torch.from_numpy(buffers.obs), torch.from_numpy(buffers.obs_u8)
        masks, starts = torch.from_numpy(buffers.masks), torch.from_numpy(buffers.episode_start)
        written = torch.from_numpy(actions)
        for index, (name, rows) in enumerate(groups.items()):
            policy = self._policies[name]
            width = policy.memory_width  # a champion may have less memory than the learner
            features, new_memory = policy.features(
                obs.index_select(0, rows),
                obs_u8.index_select(0, rows),
                memory[:, :width].index_select(0, rows),
                starts.index_select(0, rows)[None],
            )
            memory[rows, :width] = new_memory
            heads = len(policy.heads.plan.entropy_weights)
            chosen = torch.zeros(len(rows), heads, dtype=torch.int32)
            policy.heads.sample(
                features.actor,
                masks.index_select(0, rows) if masks.shape[1] else None,
                {},
                ActionSampling(
                    exploration=(0.0,) * heads,
                    key=DrawKey(seed=key.seed, update=key.update, step=index, row=key.row),
                ),
                actions=chosen,
                log_probs=torch.zeros(len(rows), heads),
            )
            written[rows] = chosen


@dataclass(frozen=True, slots=True, eq=False)
class MatchSetup:
    """The configuration of matches of one kind, and a core in it that copies are reconfigured from."""

    config: WorldConfig
    prototype: BatchCore


@dataclass(frozen=True, slots=True)
class ActiveMatch:
    """The match that a copy plays, and its setup."""

    match: Match
    setup: MatchSetup


class League:
    """State shared by all shards of self-play: world, matchmaker, frozen policies and their memories.

    Attributes:
        frozen: Policies of the snapshots that are played against.
        memory: Rows × memory width of the frozen policies.
        active: The match of each copy; None before the first reset.
        restored_matches: The match of each copy when the run was saved; read while copies are restored.
        remote_matches: The match of each copy where workers of a cluster play them; None otherwise.
        bot_names: Bots among the opponents.
        bots: Those of each shard, in the order of the copies.
        restored_bots: What each bot remembered of every row when the run was saved.
        finished: Results that have not been counted, one list per shard.
        step_stats: Statistics that have not been counted, one list per shard.
    """

    def __init__(
        self,
        venue: Venue,
        matchmaker: Matchmaker,
        *,
        copies: int,
        seed: int,
        memory_width: int,
        bot_names: Sequence[str] = (),
    ) -> None:
        """Prepare the copies; no match is started."""
        self.venue = venue
        self.spec = venue.spec
        self.matchmaker = matchmaker
        self.seed = seed
        self.frozen = FrozenPolicies()
        self.memory = torch.zeros(copies * self.spec.agents, memory_width)
        self.restored_matches: list[Match] = []
        self.active: list[ActiveMatch | None] = [None] * copies
        self.remote_matches: list[Match] | None = None
        self.bot_names = tuple(bot_names)
        self.bots: list[SeatedBots] = []
        self.restored_bots: dict[str, torch.Tensor] = {}
        self.finished: list[list[MatchResult]] = []
        self.step_stats: list[list[StepStats]] = []
        self._setups: dict[tuple[int, int, int, str], MatchSetup] = {}
        self._setups_lock = Lock()

    def setup(self, match: Match) -> MatchSetup:
        """Return the setup of a match: the same object for all matches of its kind, whichever shard asks.

        Raises:
            ConfigError: It changes observations, action heads, metrics, events or the number of seats.
        """
        kind = LATEST if self.matchmaker.needs_seats(match.opponent) else match.opponent
        key = (match.stage, match.lesson, match.side_override, kind)
        with self._setups_lock:
            if key not in self._setups:
                self._setups[key] = self._make_setup(match)
            return self._setups[key]

    def core(self, copies: int, threads: int) -> BatchCore:
        """Build a core in the venue's configuration whose copies can change theirs from match to match.

        Raises:
            ConfigError: The world has no such cores.
        """
        core = self._build(self.venue.config, copies, threads)
        if not isinstance(core, ReconfigurableCore):
            raise ConfigError(
                f"matches change the configuration of a copy, which copies of {self.spec.world!r} cannot; leave out "
                "self_play and curriculum",
                code="copies_share_configuration",
                world=self.spec.world,
            )
        return core

    def seated_bots(self, copies: int) -> SeatedBots:
        """Return the bots among the opponents for some copies."""

        def make(name: str, rows: int) -> BatchedBot:
            return open_batched_bot(self.venue.world, name, self.spec, rows)

        return SeatedBots(self.bot_names, make, copies=copies, agents=self.spec.agents)

    def bot_memories(self) -> dict[str, torch.Tensor]:
        """Return what each bot remembers of every row."""
        return {name: stack_memories([bots.memories(name) for bots in self.bots]) for name in self.bot_names}

    def episodes_seed(self, copy: int, number: int) -> int:
        """Return the base of a copy's episode seeds from a match on that has another setup than the one before."""
        return subseed(self.seed, MATCH_SEEDS, number, copy)

    @property
    def matches(self) -> list[Match]:
        """The current match of each copy."""
        if self.remote_matches is not None:
            return self.remote_matches
        return [active.match for active in self.active if active is not None]

    def pop_results(self, step: int) -> list[MatchResult]:
        """Remove and return the results up to a vector step, in the order of the copies."""
        found = []
        for shard in self.finished:
            while shard and shard[0].step <= step:
                found.append(shard.pop(0))
        return found

    def pop_stats(self, step: int) -> list[StepStats]:
        """Remove and return the statistics of a vector step, in the order of the copies."""
        return [shard.pop(0) for shard in self.step_stats if shard and shard[0].step <= step]

    def _make_setup(self, match: Match) -> MatchSetup:
        world = self.venue.world
        given = {**self.venue.config.model_dump(exclude_unset=True), **self.matchmaker.overrides(match)}
        config = parse_config(world.id, world.config_type, given)
        _check_same_shape(self.spec, world.describe(config))
        return MatchSetup(config, self._build(config, copies=1, threads=1))

    def _build(self, config: WorldConfig, copies: int, threads: int) -> BatchCore:
        request = CoreRequest(copies=copies, seed=self.seed, threads=threads, device="cpu")
        _, _, core = build_core(self.venue.world, config, self.venue.tier, request)
        return core


def _check_same_shape(wanted: WorldSpec, found: WorldSpec) -> None:
    for name in ("agents", "observation", "heads", "metrics", "event_names"):
        if getattr(wanted, name) != getattr(found, name):
            raise ConfigError(
                f"a match changes the {name} of {wanted.world!r}; all matches of a run must have the same",
                code="match_changes_spec",
                world=wanted.world,
                part=name,
            )
