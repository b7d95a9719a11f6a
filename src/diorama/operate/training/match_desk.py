"""`SelfPlayCallback`: records match results, adds snapshots to the pool and writes both to the run."""

from collections.abc import Mapping

import torch

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.training_reports import StepView, UpdateReport
from diorama.contracts.values import JsonObject, JsonValue
from diorama.engine.seeding import as_seed
from diorama.learn.callbacks import Callback
from diorama.learn.policies.names import parse_name
from diorama.learn.policies.policy import Policy
from diorama.learn.selfplay.envs import SelfPlayEnvs
from diorama.learn.selfplay.league import Arena
from diorama.learn.selfplay.match import MatchesState, MatchResult, outcome_word
from diorama.learn.selfplay.matchmaking import LEARNER, Matchmaker
from diorama.learn.selfplay.ratings import StageChange
from diorama.operate.training.match_plan import make_matchmaker
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.policy_files import load_policy, policy_checkpoint
from diorama.runs.checkpoints.files import MODEL_PREFIX
from diorama.runs.checkpoints.tensor_files import write_tensors
from diorama.runs.clock import Clock, timestamp
from diorama.runs.layout import RunLayout
from diorama.runs.matches import MatchFiles, RatingTable

_MEMORY = "matches.memory"


def make_arena(plan: TrainingPlan) -> Arena:
    """Return where the matches of a plan are played; none is opened yet."""
    settings = plan.settings
    return Arena(
        plan.venue,
        make_matchmaker(plan.venue, settings),
        copies=settings.copies,
        seed=as_seed(settings.seed),
        memory_width=parse_name(settings.policy.arch).memory_size,
    )


class SelfPlayCallback(Callback):
    """Stands between the trainer and its listener, so that results count before the windows they belong to close.

    Attributes:
        arena: Where the matches are played.
        matchmaker: Says who meets whom.
    """

    def __init__(self, plan: TrainingPlan, layout: RunLayout, listener: Callback, clock: Clock) -> None:
        """Set up the copies; nothing is written yet."""
        self.arena = make_arena(plan)
        self.matchmaker: Matchmaker = self.arena.matchmaker
        self._plan = plan
        self._run_id = layout.run_id
        self._listener = listener
        self._clock = clock
        self._files = MatchFiles(layout)
        self._unwritten: list[MatchResult] = []
        self._changes: list[StageChange] = []
        self._snapshots: dict[str, str] = {}

    def source(self) -> SelfPlayEnvs:
        """Return the copies the trainer learns from."""
        return SelfPlayEnvs(self.arena, 0, self._plan.settings.copies)

    def demonstrated_configs(self) -> list[WorldConfig]:
        """Return the configurations in which a baseline shows what to do: every script from every station."""
        maker, venue = self.matchmaker, self._plan.venue
        scripts = () if maker.pool is None or maker.ladder is not None else maker.pool.scripts
        overrides = [
            {**station, **maker.rules.against(script)} for script in scripts for station in maker.stations or ({},)
        ]
        given = venue.config.model_dump(exclude_unset=True)
        return [
            parse_config(venue.world.id, venue.world.config_type, {**given, **changes})
            for changes in overrides or ({},)
        ]

    def on_step(self, step: StepView) -> None:
        """Count the matches that ended in a step, then pass it on."""
        number = self.matchmaker.steps + 1
        results = self.arena.results_of(number)
        self._changes += self.matchmaker.hear(results, self.arena.observed_in(number))
        self._unwritten += results
        self._listener.on_step(step)

    def on_update(self, report: UpdateReport) -> None:
        """Pass an update on."""
        self._listener.on_update(report)

    def after_update(self, policy: Policy, *, updates: int, env_steps: int) -> None:
        """Write down what happened, and take a snapshot where one is due.

        Raises:
            StorageError: The disk refuses.
        """
        self._files.record([_line(result) for result in self._unwritten])
        self._unwritten = []
        for change in self._changes:
            self._audit_stage(change, updates, env_steps)
        self._changes = []
        self_play = self._plan.settings.self_play
        if self_play is not None and self_play.pool_every is not None and updates % self_play.pool_every == 0:
            self._promote(policy, updates, env_steps)

    def state(self) -> JsonObject:
        """Return everything that later matches depend on, as JSON values, and bring the ratings up to date."""
        self._rate()
        return MatchesState(
            matchmaker=self.matchmaker.state(),
            playing=self.arena.matches,
            recorded=self._files.recorded,
            snapshots=self._snapshots,
        ).to_json()

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return what frozen policies remember."""
        return {_MEMORY: self.arena.memory.clone()}

    def load(self, stored: JsonValue, tensors: Mapping[str, torch.Tensor]) -> None:
        """Continue from a state; call it before the copies are restored.

        Raises:
            DocumentError: It is of another kind of run, or a frozen policy is not the one that was promoted.
        """
        state = MatchesState.from_json(stored)
        self.matchmaker.load(state.matchmaker)
        self.arena.stored = state.playing
        self.arena.memory.copy_(tensors[_MEMORY])
        for name, sha256 in state.snapshots.items():
            policy, _ = load_policy(self._files.snapshot_path(name), self._plan.spec, sha256=sha256)
            self.arena.frozen.add(name, policy)
            self._snapshots[name] = sha256
        self._files.continue_from(state.recorded)
        self._audit(event="resumed", who=LEARNER, why=f"the run goes on after {state.recorded} matches")

    def close(self) -> None:
        """Close the files."""
        self._files.close()

    def _promote(self, policy: Policy, updates: int, env_steps: int) -> None:
        settings, name = self._plan.settings, f"update-{updates:06d}"
        header = policy_checkpoint(
            self._plan.spec,
            settings.policy,
            settings.normalization,
            run_id=self._run_id,
            window_id=0,
            env_steps_total=env_steps,
            created_at=timestamp(self._clock.now()),
        )
        tensors = {f"{MODEL_PREFIX}{key}": tensor for key, tensor in policy.state_dict().items()}
        path = self._files.snapshot_path(name)
        sha256 = write_tensors(path, header, tensors)
        frozen, _ = load_policy(path, self._plan.spec, sha256=sha256)
        self.arena.frozen.add(name, frozen)
        self.matchmaker.promote(name)
        self._snapshots[name] = sha256
        assert settings.self_play is not None
        self._audit(
            event="promoted",
            who=name,
            env_steps=env_steps,
            checkpoint_sha256=sha256,
            why=f"every {settings.self_play.pool_every} updates; Elo {self.matchmaker.ratings.of(LEARNER):.0f}",
        )
        self._retire(settings.self_play.pool_size, env_steps)

    def _retire(self, pool_size: int, env_steps: int) -> None:
        pool = self.matchmaker.pool
        assert pool is not None, "a snapshot was just taken into it"
        while len(pool.snapshots) > pool_size:
            rates = {name: pool.win_rate(name) for name in pool.snapshots}
            name = pool.retire_easiest()
            self._audit(
                event="retired",
                who=name,
                env_steps=env_steps,
                checkpoint_sha256=self._snapshots[name],
                why=f"the pool holds {pool_size}, and the learner scores {rates[name]:.2f} against it, the most",
            )
        # Whoever still plays a match stays until it has ended.
        playing = {match.opponent for match in self.arena.matches}
        kept = playing | set(pool.snapshots)
        self.arena.frozen.keep(kept)
        self._snapshots = {name: sha256 for name, sha256 in self._snapshots.items() if name in kept}

    def _audit_stage(self, change: StageChange, updates: int, env_steps: int) -> None:
        assert self.matchmaker.ladder is not None, "without a curriculum no stage changes"
        stages = self.matchmaker.ladder.stages
        self._audit(
            event=change.move.value,
            who=LEARNER,
            update=updates,
            env_steps=env_steps,
            from_stage=change.left + 1,
            to_stage=change.entered + 1,
            why=f"won {change.rate:.3f} of {change.episodes} episodes of {stages[change.left].name!r}",
        )

    def _audit(self, **entry: JsonValue) -> None:
        self._files.audit({"at": timestamp(self._clock.now()), **entry})

    def _rate(self) -> None:
        if self.matchmaker.pool is not None:
            ratings = self.matchmaker.ratings
            self._files.rate(RatingTable(matches=self._files.recorded, anchor=ratings.anchor, ratings=ratings.table()))


def _line(result: MatchResult) -> JsonObject:
    match = result.match
    return {
        "step": result.step,
        "copy": result.copy,
        "match": match.number,
        "learner": LEARNER,
        "opponent": match.opponent,
        "side": match.side,
        "station": match.station,
        "stage": match.stage + 1,
        "lesson": match.lesson + 1,
        "result": outcome_word(result.score),
        "score": result.score,
    }
