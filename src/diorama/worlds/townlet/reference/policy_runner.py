"""The policy runner: lets a town decide for itself, scripted, learned, or blended."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from diorama.numerics import ln
from diorama.worlds.townlet.reference.decisions.controller import BehaviorController, Controller
from diorama.worlds.townlet.reference.decisions.deciding import action_mask
from diorama.worlds.townlet.reference.decisions.options import is_bound
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.tick import StageHooks, begin_tick, finish_tick

_TOP: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a policy thinks of a citizen's situation: a chance for every action, none for masked ones, and a value."""

    chances: Sequence[float]
    value: float


class LearnedPolicy(Protocol):
    """A policy that gives chances to actions."""

    def judge(self, town: Town, citizens: Sequence[Citizen], masks: Sequence[Sequence[int]]) -> Sequence[Opinion]:
        """Return one opinion per citizen."""


class Source(StrEnum):
    """Who decided for a citizen."""

    LEARNED = "learned"
    SCRIPTED = "scripted"
    POSSESSED = "possessed"
    COMMITTED = "committed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """How a decision came about; what only a policy knows is None where none was asked.

    Attributes:
        selected: The action that was selected, whatever comes of it.
        top: The three likeliest actions with their chances.
        commit_remaining: Ticks for which the citizen is bound to its option.
        commit_enforced: Whether it would have selected something else.
    """

    selected: int
    source: Source
    log_prob: float | None
    value: float | None
    top: tuple[tuple[int, float], ...]
    entropy: float | None
    commit_remaining: int
    commit_enforced: bool


class PolicyRunner:
    """Selects actions for all citizens of a town, by ascending seat; `diagnostics` says how, by seat."""

    def __init__(
        self,
        controller: Controller | None = None,
        policy: LearnedPolicy | None = None,
        *,
        anneal_ratio: float = 0.0,
    ) -> None:
        """Decide with a controller, and with a policy for the share of decisions that `anneal_ratio` says."""
        self._controller = BehaviorController() if controller is None else controller
        self._policy = policy
        self._anneal_ratio = anneal_ratio
        self.diagnostics: dict[int, Diagnosis] = {}

    def step(self, town: Town) -> tuple[dict[int, int], dict[int, list[int]]]:
        """Select an action for everybody.

        Draws from `policy`, citizen by citizen: one number for the blend if there is one to make, then one for the
        action if a policy samples.

        Returns:
            Actions and masks by seat.
        """
        citizens = town.living()
        masks = {citizen.seat: action_mask(town, citizen) for citizen in citizens}
        opinions: Sequence[Opinion | None] = [None] * len(citizens)
        if self._policy is not None:
            opinions = self._policy.judge(town, citizens, list(masks.values()))
        self.diagnostics = {
            citizen.seat: self._decide(town, citizen, opinion)
            for citizen, opinion in zip(citizens, opinions, strict=True)
        }
        return {seat: diagnosis.selected for seat, diagnosis in self.diagnostics.items()}, masks

    def _decide(self, town: Town, citizen: Citizen, opinion: Opinion | None) -> Diagnosis:
        is_learned = opinion is not None and self._anneal_ratio >= 1.0
        if opinion is not None and 0.0 < self._anneal_ratio < 1.0:
            is_learned = town.streams.policy.f64() < self._anneal_ratio
        if opinion is not None and is_learned:
            selected, source = _pick(town, opinion.chances), Source.LEARNED
        else:
            selected, source = self._controller.decide(town, citizen), Source.SCRIPTED
        bound = is_bound(town, citizen)
        if citizen.is_possessed:
            source = Source.POSSESSED
        elif bound:
            source = Source.COMMITTED
        chance = None if opinion is None else opinion.chances[selected]
        return Diagnosis(
            selected=selected,
            source=source,
            log_prob=None if not chance else ln(chance),
            value=None if opinion is None else opinion.value,
            top=() if opinion is None else _likeliest(opinion.chances),
            entropy=None if opinion is None else _entropy(opinion.chances),
            commit_remaining=max(0, citizen.plan.commit_until - town.tick) if bound else 0,
            commit_enforced=bound and selected != citizen.plan.option,
        )


def run_tick(town: Town, runner: PolicyRunner, hooks: Sequence[StageHooks] = ()) -> None:
    """Let a town live one tick on its own."""
    begin_tick(town, hooks)
    actions, _ = runner.step(town)
    finish_tick(town, actions, hooks)


def _pick(town: Town, chances: Sequence[float]) -> int:
    if not town.config.policy_runtime.sample_actions:
        return max(range(len(chances)), key=chances.__getitem__)
    target = town.streams.policy.f64()
    reached = 0.0
    chosen = 0
    for action, chance in enumerate(chances):
        if chance > 0.0:
            chosen = action
            reached += chance
            if target < reached:
                break
    return chosen


def _likeliest(chances: Sequence[float]) -> tuple[tuple[int, float], ...]:
    ordered = sorted(enumerate(chances), key=lambda entry: -entry[1])[:_TOP]
    return tuple((action, chance) for action, chance in ordered if chance > 0.0)


def _entropy(chances: Sequence[float]) -> float:
    total = 0.0
    for chance in chances:
        if chance > 0.0:
            total -= chance * ln(chance)
    return total
