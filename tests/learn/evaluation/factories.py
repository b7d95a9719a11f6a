"""Small episodes, contests and players for the tests of evaluation."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from diorama.contracts.plans import Comparison, EvaluationProtocol, Expectation
from diorama.contracts.records import Decision
from diorama.contracts.spec import Better
from diorama.contracts.tiers import Tier
from diorama.contracts.values import F32, I32, U8
from diorama.contracts.world import World
from diorama.engine.players import ContenderKind
from diorama.engine.venue import Venue
from diorama.learn.evaluation.contest import ContenderResult, Contest, SeedReport, SeedSet
from diorama.learn.evaluation.summary import EpisodeRecord, summarize
from tests.engine.toy_world import TOY, ToyConfig

SUMMARIES = ("total_mean",)


def episode(**changes: object) -> EpisodeRecord:
    """An uneventful episode, apart from the changes."""
    plain = EpisodeRecord(
        policy="player",
        seed=1,
        seat=0,
        decisions=10,
        ticks=20,
        returns={"default": 1.0},
        terminated=True,
        truncated=False,
        guard_truncated=False,
        end_reason="done",
        invalid_actions=0,
        metrics={"total": 5.0},
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


class Adder:
    """Always chooses the same amount and sign."""

    def __init__(self, amount: int = 1, sign: int = 0) -> None:
        self._decision = (amount, sign)

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        return self._decision


TOY_PROTOCOL = EvaluationProtocol(
    matrix_seeds=(2, 3),
    episodes=2,
    max_decisions=10,
    return_profiles=(("default", {}),),
    summaries=SUMMARIES,
    interval_summaries=SUMMARIES,
    comparisons=(Comparison(summary="total_mean", better=Better.HIGHER),),
    expectations=(Expectation(title="adds as much as zero", summary="total_mean", baseline="zero"),),
)


def toy_world(protocol: EvaluationProtocol = TOY_PROTOCOL) -> World[ToyConfig]:
    """The toy world with bots and an evaluation protocol."""
    return replace(TOY, bots={"one": Adder, "zero": lambda: Adder(0), "two": lambda: Adder(2)}, evaluation=protocol)


def toy_venue(world: World[ToyConfig] | None = None, *, length: int = 3) -> Venue:
    return Venue(world=toy_world() if world is None else world, config=ToyConfig(length=length), tier="reference")  # type: ignore[arg-type]


def toy_contest(
    totals: Mapping[str, Sequence[float]], world: World[ToyConfig] | None = None, **changes: object
) -> Contest:
    """A contest in which each contender ended its episodes with these totals."""
    results = []
    for name, values in totals.items():
        records = tuple(episode(policy=name, metrics={"total": total}, **changes) for total in values)
        report = SeedReport(label=1, records=records, summary=summarize(records, SUMMARIES))
        aggregate = summarize(records, SUMMARIES, interval_names=SUMMARIES)
        results.append(ContenderResult(name=name, kind=ContenderKind.BOT, seed_reports=(report,), aggregate=aggregate))
    return Contest(
        venue=toy_venue(world),
        seed_sets=(SeedSet(label=1, seeds=(1,)),),
        max_decisions=10,
        results=tuple(results),
        tier_selected=Tier.REFERENCE,
        tier_fallback_reason=None,
    )


class ScriptedPlayer:
    """A batch player with one action for every row, which records the calls it gets."""

    def __init__(self, action: int, rows: int) -> None:
        self._actions: I32 = np.full((rows, 1), action, np.int32)
        self.opened: list[tuple[int, int]] = []
        self.retired: list[int] = []
        self.acts = 0

    def reset(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        self.opened += zip(rows, seeds, strict=True)

    def act(self, obs: F32, obs_u8: U8, masks: U8) -> I32:
        self.acts += 1
        return self._actions

    def retire(self, rows: Sequence[int]) -> None:
        self.retired += rows


class RecordedProgress:
    """Progress that keeps all calls."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, int]] = []
        self.episodes = 0
        self.decisions = 0

    def begin(self, contender: str, episodes: int) -> None:
        self.begun.append((contender, episodes))

    def advance(self, *, episodes: int, decisions: int) -> None:
        self.episodes += episodes
        self.decisions += decisions
