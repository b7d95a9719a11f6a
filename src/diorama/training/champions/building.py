"""Builds the champion of a world from a run: policy files, scores beside every script, a verified replay, a card."""

import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

import msgspec

import diorama
from diorama.contracts.errors import CheckpointMismatch, ConfigError, ReplayDiverged
from diorama.contracts.foreign_config import NO_FILE
from diorama.engine.players import Contender, bot_contender
from diorama.engine.venue import Venue, open_venue
from diorama.learn.evaluation.contest import ContenderResult, run_contest
from diorama.learn.evaluation.episodes import Progress
from diorama.learn.evaluation.headline_scores import scores_of
from diorama.runs.champions import (
    MAX_POLICY_BYTES,
    CardEvaluation,
    CardFile,
    CardRow,
    CardScore,
    Champion,
    ChampionCard,
    champion_id,
    champion_layout,
)
from diorama.runs.checkpoints.choosing import choose_checkpoint
from diorama.runs.checkpoints.files import read_checkpoint_header
from diorama.runs.checkpoints.headers import RandomCheckpoint
from diorama.runs.checkpoints.tensor_files import file_sha256
from diorama.runs.clock import Clock, timestamp
from diorama.runs.documents import replace_document
from diorama.runs.exports import export_path
from diorama.runs.layout import RunLayout, short_revision
from diorama.runs.metadata import LatestCheckpoint, RunStatus
from diorama.runs.replays.best_episode import GivenActions, best_episode
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.recording import RecordingPlan
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.runs.replays.verify import verify_replay
from diorama.runs.run import Run, open_run
from diorama.storage.atomic_files import UNFINISHED, replace_file, storage_errors, sync_directory
from diorama.training.champions.contender import load_contender, play_sample
from diorama.training.evaluation import held_out_seeds
from diorama.training.export import ExportRequest, export_policy
from diorama.training.run_directory import stored_settings
from diorama.training.settings import TrainingSettings

_REPLAY_CANDIDATES: Final = 16  # held-out episodes of which the best is recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionRequest:
    """Which policy becomes the champion of its world.

    Attributes:
        world: The world the run must be of.
        checkpoint: One of the run's; None for the newest.
        episodes: Held-out episodes of every player; None for as many as the world's protocol has per seed.
        sample_episodes: Episodes that a check plays again.
        sample_decisions: Decisions after which an episode of the sample is cut off.
        replay_steps: Most frames of the replay.
        compared_decisions: Decisions in which the ONNX file is compared with the policy.
        tier: Where episodes are played.
        output: Folder of the champion; None for its folder in the package of the world.
    """

    world: str
    run_root: Path
    run_id: str
    checkpoint: Path | None = None
    episodes: int | None = None
    sample_episodes: int = 4
    sample_decisions: int = 500
    replay_steps: int = 2000
    compared_decisions: int = 512
    tier: str = "auto"
    output: Path | None = None


def build_champion(request: ChampionRequest, *, clock: Clock, progress: Progress) -> Champion:
    """Build a champion; it replaces the previous one when everything about it is known to hold.

    Raises:
        UnknownName: There is no such world, run or checkpoint.
        ConfigError: The run is of another world, or a policy file is too large.
        CheckpointMismatch: The checkpoint holds no policy.
        MissingExtra: The packages for it are not installed.
        ExportDiffers: The ONNX file decides otherwise than the policy.
        ReplayDiverged: The replay does not come out again.
        StorageError: The disk refuses; the previous champion is untouched.
    """
    run = open_run(request.run_root, request.run_id)
    settings = stored_settings(run, files=NO_FILE)  # a champion is for machines that have none of these files
    if settings.world != request.world:
        raise ConfigError(
            f"run {run.run_id!r} is of {settings.world!r}; the champion is to be of {request.world!r}",
            code="champion_of_another_world",
            run_id=run.run_id,
            world=settings.world,
            wanted=request.world,
        )
    checkpoint = request.checkpoint or choose_checkpoint(run.layout)
    if isinstance(read_checkpoint_header(checkpoint), RandomCheckpoint):
        raise CheckpointMismatch(
            f"run {run.run_id!r} played at random; there is no policy in it to make a champion of",
            code="run_has_no_policy",
            run_id=run.run_id,
        )
    target = champion_layout(request.world)
    if request.output is not None:
        target = RunLayout(request.output, target.name)
    unfinished = RunLayout(
        target.directory.with_name(f".{target.directory.name}{UNFINISHED}{os.getpid()}"), target.name
    )
    with storage_errors(target.directory):
        shutil.rmtree(unfinished.directory, ignore_errors=True)
        unfinished.directory.mkdir(parents=True)
        try:
            _Builder(request, run, settings, unfinished, clock, progress).build(checkpoint)
            _replace_folder(unfinished.directory, target.directory)
        except BaseException:
            shutil.rmtree(unfinished.directory, ignore_errors=True)
            raise
    return Champion(target)


def _replace_folder(built: Path, target: Path) -> None:
    previous = built.with_name(f"{built.name}-previous")
    if target.exists():
        target.rename(previous)
    built.rename(target)
    sync_directory(target.parent)
    shutil.rmtree(previous, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class _Builder:
    request: ChampionRequest
    run: Run
    settings: TrainingSettings
    layout: RunLayout
    clock: Clock
    progress: Progress

    def build(self, origin: Path) -> None:
        venue = open_venue(self.settings.world, self.settings.config, tier=self.request.tier)
        checkpoint = self.layout.checkpoints / origin.name
        replace_file(checkpoint, origin.read_bytes())
        replace_document(self.layout.config, self.settings.model_dump(mode="json"))
        deterministic = self.settings.evaluation.deterministic
        contender, policy, stored = load_contender(checkpoint, venue, deterministic=deterministic)
        onnx = self._export(checkpoint)
        for path in (checkpoint, onnx):
            _check_size(path)
        evaluation = self._evaluate(venue, contender)
        entry = self._record(venue, contender, checkpoint, stored.sha256, stored.header.env_steps_total)
        self._write_metadata(checkpoint, stored.sha256, entry)
        card = ChampionCard(
            world=venue.world.id,
            interface_version=venue.spec.interface_version,
            config=venue.config.model_dump(mode="json"),
            config_hash=venue.config_hash,
            origin_run_id=self.run.run_id,
            seed=self.settings.seed,
            revision=short_revision(Path(diorama.__file__).parent),
            diorama_version=diorama.__version__,
            built_at=timestamp(self.clock.now()),
            env_steps_total=stored.header.env_steps_total,
            window_id=stored.header.window_id,
            policy_arch=stored.header.policy_arch,
            parameters=sum(parameter.numel() for parameter in policy.parameters()),
            deterministic=deterministic,
            settings=self.settings.model_dump(mode="json"),
            policy=self._file(checkpoint),
            onnx=self._file(onnx),
            frames=self._file(self.layout.replay(entry.replay_id)),
            sidecar=self._file(self.layout.replay_sidecar(entry.replay_id)),
            replay_id=entry.replay_id,
            evaluation=evaluation,
        )
        replace_document(Champion(self.layout).card_path, card)

    def _export(self, checkpoint: Path) -> Path:
        path = export_path(self.layout, checkpoint)
        export_policy(
            ExportRequest(
                run_root=self.request.run_root,
                run_id=self.run.run_id,
                checkpoint=checkpoint,
                output=path,
                decisions=self.request.compared_decisions,
            )
        )
        return path

    def _evaluate(self, venue: Venue, contender: Contender) -> CardEvaluation:
        request, protocol = self.request, venue.world.evaluation
        seeds = held_out_seeds(venue, protocol.episodes if request.episodes is None else request.episodes)
        scripts = [bot_contender(venue.world, name) for name in venue.world.bots]
        contest = run_contest(
            venue, [contender, *scripts], [seeds], max_decisions=protocol.max_decisions, progress=self.progress
        )
        sample = play_sample(
            venue,
            contender,
            seeds.seeds[: request.sample_episodes],
            max_decisions=request.sample_decisions,
            progress=self.progress,
        )
        return CardEvaluation(
            first_seed=seeds.seeds[0],
            episodes=len(seeds.seeds),
            max_decisions=protocol.max_decisions,
            tier=contest.tier_selected.value,
            rows=tuple(_row(venue, result) for result in contest.results),
            sample_decisions=request.sample_decisions,
            sample=sample,
        )

    def _record(self, venue: Venue, contender: Contender, checkpoint: Path, sha256: str, env_steps: int) -> ReplayEntry:
        steps = min(self.request.replay_steps, venue.world.evaluation.max_decisions)
        seeds = held_out_seeds(venue, min(_REPLAY_CANDIDATES, venue.world.evaluation.episodes)).seeds
        best = best_episode(venue, contender, seeds, max_steps=steps)
        facts = PlayerFacts(
            kind=PlayerKind.CHECKPOINT,
            name=champion_id(venue.world.id),
            checkpoint_path=self.layout.relative(checkpoint),
            sha256=sha256,
            deterministic=self.settings.evaluation.deterministic,
        )
        plan = RecordingPlan(
            window_id=read_checkpoint_header(checkpoint).window_id,
            trainer_backend=self.settings.backend.value,
            players=(facts,) * venue.spec.agents,
            checkpoint_env_steps_total=env_steps,
            max_steps=steps,
            include_info=False,
            milestones=dict(venue.spec.milestones),
        )
        entry = record_episode(self.layout, venue, GivenActions(best.actions), best.seed, plan, clock=self.clock)
        verification = verify_replay(open_replay(self.layout, entry.replay_id), tier=self.request.tier)
        if not verification.is_faithful:
            raise ReplayDiverged(
                f"the replay of {champion_id(venue.world.id)} does not come out again: {verification.divergence}",
                code="champion_replay_diverged",
                world=venue.world.id,
            )
        return entry

    def _write_metadata(self, checkpoint: Path, sha256: str, entry: ReplayEntry) -> None:
        header, now = read_checkpoint_header(checkpoint), timestamp(self.clock.now())
        latest = LatestCheckpoint(
            window_id=header.window_id,
            env_steps_total=header.env_steps_total,
            path=self.layout.relative(checkpoint),
            sha256=sha256,
            created_at=header.created_at,
        )
        metadata = msgspec.structs.replace(
            self.run.metadata(),
            run_id=self.layout.run_id,
            status=RunStatus.COMPLETED,
            env_steps_total=header.env_steps_total,
            checkpoints_written=1,
            replays_written=1,
            latest_window=None,
            latest_checkpoint=latest,
            latest_replay=entry.to_json(),
            replay_index_path=self.layout.relative(self.layout.replay_index),
            wandb_run_url=None,
            constellation_url=None,
            updated_at=now,
            finished_at=now,
            error=None,
        )
        replace_document(self.layout.metadata, metadata)

    def _file(self, path: Path) -> CardFile:
        return CardFile(path=self.layout.relative(path), sha256=file_sha256(path), size_bytes=path.stat().st_size)


def _row(venue: Venue, result: ContenderResult) -> CardRow:
    kind: Literal["bot", "run"] = "bot" if result.kind.value == "bot" else "run"
    scores = scores_of(venue.spec, result.records)
    return CardRow(
        name=result.name, kind=kind, scores={key: CardScore(**asdict(score)) for key, score in scores.items()}
    )


def _check_size(path: Path) -> None:
    size = path.stat().st_size
    if size > MAX_POLICY_BYTES:
        raise ConfigError(
            f"{path.name} has {size:,} bytes; a champion's policy may have {MAX_POLICY_BYTES:,}: train a smaller one",
            code="champion_too_large",
            file=path.name,
            size_bytes=size,
            most=MAX_POLICY_BYTES,
        )
