"""Rounds played by a controller that does not learn: rules, schedules, chance."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from diorama.worlds.morphogenesis.audit.opening import open_audit
from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult
from diorama.worlds.morphogenesis.contracts.events import TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.analysis import HeuristicEpisodeSnapshot, HeuristicRunSnapshot
from diorama.worlds.morphogenesis.contracts.payloads.training import TrainingStartedPayload
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.deciding import Controller
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.rounds.closing import RoundFacts, close_round
from diorama.worlds.morphogenesis.rounds.history import RoundHistory
from diorama.worlds.morphogenesis.rounds.steering import Steering
from diorama.worlds.morphogenesis.rounds.tally import ActionTally

LATE_EPOCHS = 10
"""Epochs at the end of an episode whose mean is its late accuracy: single epochs swing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedEpisode:
    """One env's episode: its result, and what the tables show of it. Accuracies are percent."""

    result: EpisodeResult
    late_accuracy: float
    late_control: float | None
    episode_reward: float
    planted: int
    stages: tuple[SeedStage, ...]
    blueprints: tuple[str | None, ...]
    accuracies: tuple[float, ...]

    @property
    def late_gain(self) -> float | None:
        """Points above the control twin over the last epochs."""
        return None if self.late_control is None else self.late_accuracy - self.late_control


@dataclass(slots=True, kw_only=True)
class PlayedRun:
    """All rounds of one controller."""

    controller: str
    episodes: list[PlayedEpisode] = field(default_factory=list)
    history: RoundHistory = field(default_factory=RoundHistory)
    tally: ActionTally = field(default_factory=ActionTally)

    @property
    def results(self) -> list[EpisodeResult]:
        """The episodes as comparisons see them."""
        return [episode.result for episode in self.episodes]


def play_rounds(
    world: MorphogenesisWorld,
    controller: Controller,
    *,
    name: str,
    rounds: int,
    advance: Callable[[], None] = lambda: None,
    prepare: Callable[[MorphogenesisWorld], None] | None = None,
    steering: Steering | None = None,
) -> PlayedRun:
    """Play rounds and tell of them as of a training run.

    Args:
        world: Whose envs are decided for.
        controller: Who decides.
        name: What the controller is called.
        rounds: How many, counted from the first.
        advance: Called after every epoch.
        prepare: Changes the envs between the start of a round and its first epoch.
        steering: Where an operator interferes.
    """
    run = PlayedRun(controller=name)
    open_audit(world)
    tell_start(world, rounds)
    _tell_controller(world, name, rounds)
    for round_index in range(rounds):
        started = time.monotonic()
        tally = ActionTally()
        stepped = world.reset(round_index, prepare=prepare)
        while world.is_open:
            actions = controller.decide(stepped.obs, stepped.masks, world.reports())
            revised, initiators = (actions, None) if steering is None else steering.revise(actions)
            stepped = world.step(revised, initiators=initiators)
            for env, info in zip(world.envs, stepped.info, strict=True):
                if not info.action_ignored:
                    tally.add(env.record)
                    run.tally.add(env.record)
            advance()
        run.episodes += [_episode(env, round_index) for env in world.envs]
        _tell_episodes(world, run.episodes[-len(world.envs) :])
        facts = RoundFacts(
            batch=round_index + 1,
            tally=tally,
            wall_s=time.monotonic() - started,
            requested_episodes=rounds * len(world.envs),
        )
        close_round(world, run.history, facts)
    return run


def _episode(env: Env, round_index: int) -> PlayedEpisode:
    late = env.readings[-LATE_EPOCHS:]
    controls = [reading.control_acc for reading in late if reading.control_acc is not None]
    seeds = [slot.state for slot in env.growth.slots]
    return PlayedEpisode(
        result=EpisodeResult(
            round_index=round_index,
            env_id=env.env_id,
            final_accuracy=env.reading.val_acc,
            control_accuracy=env.reading.control_acc,
            param_ratio=env.param_ratio,
            stability_score=env.stability,
            num_fossilized=env.count_stage(SeedStage.FOSSILIZED),
            prune_count=env.counts.pruned,
            rollbacks=env.governor.rollbacks,
        ),
        late_accuracy=sum(reading.val_acc for reading in late) / len(late),
        late_control=sum(controls) / len(controls) if len(controls) == len(late) else None,
        episode_reward=env.episode_reward,
        planted=env.counts.germinated,
        stages=env.growth.stages(),
        blueprints=tuple(None if seed is None else seed.blueprint.blueprint_id for seed in seeds),
        accuracies=tuple(reading.val_acc for reading in env.readings),
    )


def tell_start(world: MorphogenesisWorld, rounds: int) -> None:
    """Tell that rounds begin in which nothing is learned; before anything else is told."""
    nursery = world.nursery
    nursery.events.emit(
        TelemetryEventType.TRAINING_STARTED,
        TrainingStartedPayload(
            n_envs=len(world.envs),
            max_epochs=nursery.max_epochs,
            max_batches=rounds,
            task=nursery.task.name,
            host_params=nursery.host_params,
            slot_ids=nursery.slots.slot_ids,
            seed=nursery.streams.root_key,
            n_episodes=rounds,
            lr=0.0,
            clip_ratio=0.0,
            entropy_coef=0.0,
            param_budget=nursery.contribution_reward.param_budget,
            policy_device="cpu",
            env_devices=(nursery.device,),
            reward_mode=nursery.config.reward_mode,
        ),
    )


def _tell_controller(world: MorphogenesisWorld, name: str, rounds: int) -> None:
    nursery = world.nursery
    nursery.events.emit(
        TelemetryEventType.ANALYTICS_SNAPSHOT,
        HeuristicRunSnapshot(
            task=nursery.task.name,
            controller=name,
            n_envs=len(world.envs),
            max_epochs=nursery.max_epochs,
            rounds=rounds,
            root_key=nursery.streams.root_key,
            slot_ids=nursery.slots.slot_ids,
        ),
    )


def _tell_episodes(world: MorphogenesisWorld, episodes: list[PlayedEpisode]) -> None:
    for episode in episodes:
        result = episode.result
        world.nursery.events.emit(
            TelemetryEventType.ANALYTICS_SNAPSHOT,
            HeuristicEpisodeSnapshot(
                env_id=result.env_id,
                episode_idx=result.round_index,
                final_accuracy=result.final_accuracy,
                control_accuracy=result.control_accuracy,
                param_ratio=result.param_ratio,
                num_fossilized=result.num_fossilized,
                episode_reward=episode.episode_reward,
            ),
        )
