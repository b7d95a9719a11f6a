"""The policy runner: lets a town decide for itself, scripted, learned, or blended."""

from collections.abc import Sequence
from typing import Protocol

from diorama.worlds.townlet.reference.decisions.controller import BehaviorController, Controller
from diorama.worlds.townlet.reference.decisions.deciding import action_mask
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.tick import StageHooks, begin_tick, finish_tick


class LearnedPolicy(Protocol):
    """A policy that gives chances to actions."""

    def chances(self, town: Town, citizens: Sequence[Citizen], masks: Sequence[Sequence[int]]) -> list[list[float]]:
        """Return one list of chances per citizen; masked actions have none."""


class PolicyRunner:
    """Selects actions for all citizens of a town, by ascending seat."""

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

    def step(self, town: Town) -> tuple[dict[int, int], dict[int, list[int]]]:
        """Select an action for everybody.

        Draws from `policy`, citizen by citizen: one number for the blend if there is one to make, then one for the
        action if a policy samples.

        Returns:
            Actions and masks by seat.
        """
        citizens = town.living()
        masks = {citizen.seat: action_mask(town, citizen) for citizen in citizens}
        if self._policy is None:
            return {citizen.seat: self._controller.decide(town, citizen) for citizen in citizens}, masks
        chances = self._policy.chances(town, citizens, list(masks.values()))
        actions = {
            citizen.seat: self._blend(town, citizen, own) for citizen, own in zip(citizens, chances, strict=True)
        }
        return actions, masks

    def _blend(self, town: Town, citizen: Citizen, chances: list[float]) -> int:
        is_learned = self._anneal_ratio >= 1.0
        if 0.0 < self._anneal_ratio < 1.0:
            is_learned = town.streams.policy.f64() < self._anneal_ratio
        return _pick(town, chances) if is_learned else self._controller.decide(town, citizen)


def run_tick(town: Town, runner: PolicyRunner, hooks: Sequence[StageHooks] = ()) -> None:
    """Let a town live one tick on its own."""
    begin_tick(town, hooks)
    actions, _ = runner.step(town)
    finish_tick(town, actions, hooks)


def _pick(town: Town, chances: list[float]) -> int:
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
