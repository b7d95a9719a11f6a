"""`SelfPlayCallback`: records match results, adds snapshots to the pool and writes both to the run."""

from collections.abc import Mapping

import torch

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.training_reports import StepView
from diorama.contracts.values import JsonObject, JsonValue
from diorama.engine.seeding import as_seed
from diorama.engine.system_facts import usable_cores
from diorama.learn.policies.names import parse_name
from diorama.learn.policies.policy import Policy
from diorama.learn.selfplay.curriculum import StageChange
from diorama.learn.selfplay.envs import SelfPlayEnvs
from diorama.learn.selfplay.league import League
from diorama.learn.selfplay.match import MatchesState, MatchResult, outcome_label
from diorama.learn.selfplay.matchmaking import LEARNER, Matchmaker
from diorama.learn.trainer import Trainer
from diorama.runs.champions import open_champion
from diorama.runs.checkpoints.files import MODEL_PREFIX, open_policy
from diorama.runs.checkpoints.resume import StoredTraining
from diorama.runs.checkpoints.tensor_files import write_tensors
from diorama.runs.clock import Clock, timestamp
from diorama.runs.layout import RunLayout
from diorama.runs.matches import MatchFiles, RatingTable
from diorama.storage.atomic_files import replace_file
from diorama.training.callbacks.base import RunCallback, RunContext
from diorama.training.compatibility import bots_met, champions_met, make_matchmaker
from diorama.training.plan import TrainingPlan
from diorama.training.policy_files import load_policy, policy_checkpoint

_MEMORY = "matches.memory"
_BOT_MEMORY = "matches.bot_memory."


def make_league(plan: TrainingPlan) -> League:
    """Return the league of a plan; no match is opened yet."""
    settings = plan.settings
    return League(
        plan.venue,
        make_matchmaker(plan.venue, settings),
        copies=settings.copies,
        seed=as_seed(settings.seed),
        memory_width=parse_name(settings.policy.arch).memory_size,
        bot_names=bots_met(plan.venue, settings),
    )


class SelfPlayCallback(RunCallback):
    """Records results; comes before the windows, so that a match counts in the window in which it ends.

    Attributes:
        league: Plays the matches.
        matchmaker: Pairs opponents.
    """

    state_key = "matches"

    def __init__(self, plan: TrainingPlan, layout: RunLayout, clock: Clock) -> None:
        """Open no match and write nothing yet."""
        self.league = make_league(plan)
        self.matchmaker: Matchmaker = self.league.matchmaker
        self._plan = plan
        self._run_id = layout.run_id
        self._clock = clock
        self._files = MatchFiles(layout)
        self._unwritten: list[MatchResult] = []
        self._changes: list[StageChange] = []
        self._snapshots: dict[str, str] = {}

    def envs(self) -> SelfPlayEnvs:
        """Return the environments the trainer steps."""
        settings = self._plan.settings
        threads = settings.execution.stepping_threads(usable_cores(), settings.copies)
        return SelfPlayEnvs(self.league, 0, settings.copies, threads=threads)

    def demonstrated_configs(self) -> list[WorldConfig]:
        """Return the configurations a teacher demonstrates in: every stage, or every script from every side."""
        maker, venue = self.matchmaker, self._plan.venue
        overrides: list[Mapping[str, object]] = []
        if maker.curriculum is not None:
            # One configuration of each, the hardest: stages count alike, however many they go through.
            overrides = [stage.lessons[-1] for stage in maker.curriculum.used_stages]
        elif maker.pool is not None:
            scripts = [name for name in maker.pool.scripts if not maker.needs_seats(name)]
            overrides = [
                {**side, **maker.rules.against(script)} for script in scripts for side in maker.side_overrides or ({},)
            ]
        given = venue.config.model_dump(exclude_unset=True)
        return [
            parse_config(venue.world.id, venue.world.config_type, {**given, **changes})
            for changes in overrides or ({},)
        ]

    def on_run_start(self, run: RunContext) -> None:
        """Copy champions into the run: one that is replaced later must not change what a resumed run meets.

        Raises:
            CheckpointMismatch: A champion sees or acts in another way than the run's policy.
            StorageError: The disk refuses.
        """
        super().on_run_start(run)
        for name in champions_met(self._plan.settings):
            path = self._files.snapshot_path(name)
            if not path.exists():
                champion = open_champion(self._plan.venue.world.id)
                origin, sha256 = champion.policy_path(), champion.card().policy.sha256
                with open_policy(origin, sha256=sha256, within=champion.layout.directory):
                    replace_file(path, origin.read_bytes())
            policy, stored = load_policy(path, self._plan.spec)
            self.league.frozen.add(name, policy)
            self._snapshots[name] = stored.sha256

    def on_step(self, step: StepView) -> None:
        """Count the matches that ended in a step."""
        number = self.matchmaker.steps + 1
        results = self.league.pop_results(number)
        self._changes += self.matchmaker.record_results(results, self.league.pop_stats(number))
        self._unwritten += results

    def after_update(self, trainer: Trainer) -> None:
        """Write results and changes of stage, and add the policy to the pool where that is due.

        Raises:
            StorageError: The disk refuses.
        """
        updates, env_steps = trainer.updates, trainer.env_steps_total
        self._files.record([_line(result) for result in self._unwritten])
        self._unwritten = []
        for change in self._changes:
            self._audit_stage(change, updates, env_steps)
        self._changes = []
        self_play = self._plan.settings.self_play
        if self_play is not None and self_play.pool_every is not None and updates % self_play.pool_every == 0:
            self._promote(trainer.policy, updates, env_steps)

    def window_fields(self) -> JsonObject:
        """Return results by opponent and the stage of the curriculum."""
        return self.matchmaker.window_fields()

    def state(self) -> JsonObject:
        """Return everything that later matches depend on, as JSON values, and write the ratings."""
        self._rate()
        return MatchesState(
            matchmaker=self.matchmaker.state(),
            playing=self.league.matches,
            recorded=self._files.recorded,
            snapshots=self._snapshots,
        ).to_json()

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return the hidden states of frozen policies and what bots remember."""
        bots = {f"{_BOT_MEMORY}{name}": memories for name, memories in self.league.bot_memories().items()}
        return {_MEMORY: self.league.memory.clone(), **bots}

    def load(self, state: JsonValue, stored: StoredTraining) -> None:
        """Continue from a state.

        Raises:
            DocumentError: It is of another kind of run, or a frozen policy is not the one that was promoted.
        """
        matches = MatchesState.from_json(state)
        self.matchmaker.load(matches.matchmaker)
        self.league.restored_matches = matches.playing
        self.league.memory.copy_(stored.tensors[_MEMORY])
        self.league.restored_bots = {name: stored.tensors[f"{_BOT_MEMORY}{name}"] for name in self.league.bot_names}
        for name, sha256 in matches.snapshots.items():
            policy, _ = load_policy(self._files.snapshot_path(name), self._plan.spec, sha256=sha256)
            self.league.frozen.add(name, policy)
            self._snapshots[name] = sha256
        self._files.continue_from(matches.recorded)
        self._audit(event="resumed", who=LEARNER, why=f"the run goes on after {matches.recorded} matches")

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
        self.league.frozen.add(name, frozen)
        self.matchmaker.add_snapshot(name)
        self._snapshots[name] = sha256
        assert settings.self_play is not None
        self._audit(
            event="promoted",
            who=name,
            env_steps=env_steps,
            checkpoint_sha256=sha256,
            why=f"every {settings.self_play.pool_every} updates; Elo {self.matchmaker.ratings.rating(LEARNER):.0f}",
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
        # An opponent in an open match stays until the match has ended.
        playing = {match.opponent for match in self.league.matches}
        kept = playing | set(pool.names)
        self.league.frozen.keep(kept)
        self._snapshots = {name: sha256 for name, sha256 in self._snapshots.items() if name in kept}

    def _audit_stage(self, change: StageChange, updates: int, env_steps: int) -> None:
        assert self.matchmaker.curriculum is not None, "without a curriculum no stage changes"
        stages = self.matchmaker.curriculum.stages
        self._audit(
            event=change.move.value,
            who=LEARNER,
            update=updates,
            env_steps=env_steps,
            from_stage=change.from_stage + 1,
            to_stage=change.to_stage + 1,
            why=f"won {change.rate:.3f} of {change.episodes} episodes of {stages[change.from_stage].name!r}",
        )

    def _audit(self, **entry: JsonValue) -> None:
        self._files.audit({"at": timestamp(self._clock.now()), **entry})

    def _rate(self) -> None:
        if self.matchmaker.pool is not None:
            ratings = self.matchmaker.ratings
            self._files.rate(
                RatingTable(
                    matches=self._files.recorded,
                    anchor=ratings.anchor,
                    ratings=ratings.ranking(),
                    estimates=tuple(self.matchmaker.estimates()),
                )
            )


def _line(result: MatchResult) -> JsonObject:
    match = result.match
    return {
        "step": result.step,
        "copy": result.copy,
        "match": match.number,
        "learner": LEARNER,
        "opponent": match.opponent,
        "side": match.side,
        "station": match.side_override,
        "stage": match.stage + 1,
        "lesson": match.lesson + 1,
        "result": outcome_label(result.score),
        "score": result.score,
    }
