"""Checks that a champion still fits its world and its card."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from pydantic import ValidationError

from diorama.contracts.errors import DioramaError, DocumentError, ReplayDiverged
from diorama.contracts.foreign_config import NO_FILE
from diorama.contracts.validation import first_problem
from diorama.engine.players import Contender
from diorama.engine.venue import Venue, open_foreign_venue
from diorama.learn.evaluation.episodes import Progress
from diorama.learn.policies.export_packages import require_onnx
from diorama.runs.champions import MAX_POLICY_BYTES, Champion, ChampionCard, champion_id, check_card
from diorama.runs.checkpoints.tensor_files import file_sha256
from diorama.runs.documents import RawObject
from diorama.runs.replays.reader import open_entry
from diorama.runs.replays.verify import verify_replay
from diorama.training.champions.contender import differing_seeds, load_contender, play_sample
from diorama.training.settings import TrainingSettings

# A processor with other vector units rounds the last bit of a sum otherwise, and where two options are nearly tied
# another one is taken. That happens in one decision of some hundred thousand; a changed rule changes every episode.
MAX_DIFFERING_SHARE: Final = 0.25
_COMPARED_COPIES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """What one check found; `problem` is None where the champion passes it."""

    check: str
    detail: str
    problem: DioramaError | None = None


def check_champion(
    champion: Champion, world_id: str, *, decisions: int = 128, progress: Progress
) -> tuple[CheckOutcome, ...]:
    """Run every check; those after a card or a file that does not hold are left out.

    Args:
        champion: What is checked.
        world_id: The world it must be the champion of.
        decisions: In how many the ONNX file is compared with the policy.
        progress: Receives the progress of the episodes.
    """
    checker = _Checker(champion=champion, world_id=world_id, decisions=decisions, progress=progress)
    checks: dict[str, Callable[[], str]] = {
        "card": checker.check_card,
        "files": checker.check_files,
        "policy": checker.check_policy,
        "onnx": checker.check_onnx,
        "replay": checker.check_replay,
        "scores": checker.check_scores,
    }
    outcomes: list[CheckOutcome] = []
    for name, check in checks.items():
        try:
            outcomes.append(CheckOutcome(check=name, detail=check()))
        except DioramaError as error:
            outcomes.append(CheckOutcome(check=name, detail=str(error), problem=error))
            if name in ("card", "files", "policy"):
                break
    return tuple(outcomes)


@dataclass(kw_only=True)
class _Checker:
    champion: Champion
    world_id: str
    decisions: int
    progress: Progress
    _loaded: list[Contender] = field(default_factory=list)

    @cached_property
    def card(self) -> ChampionCard:
        return self.champion.card()

    @cached_property
    def venue(self) -> Venue:
        source = self.champion.card_path.name
        return open_foreign_venue(self.world_id, self.card.config, source, files=NO_FILE)

    def check_card(self) -> str:
        card, venue = self.card, self.venue
        check_card(card, self.world_id, venue.spec.interface_version)
        self._expect("config_hash", card.config_hash, venue.config_hash)
        settings = _settings(card.settings, self.champion.card_path.name)
        stored = _settings(self.champion.config(), self.champion.layout.config.name)
        self._expect("settings", settings.model_dump(mode="json"), stored.model_dump(mode="json"))
        self._expect("seed", card.seed, settings.seed)
        self._expect("deterministic", card.deterministic, settings.evaluation.deterministic)
        players = [champion_id(self.world_id), *venue.world.bots]
        self._expect("evaluation.rows", [row.name for row in card.evaluation.rows], players)
        return f"{card.origin_run_id}, seed {card.seed}, revision {card.revision}"

    def check_files(self) -> str:
        card, layout = self.card, self.champion.layout
        for item in card.files:
            path = layout.resolve(item.path)
            if not path.is_file():
                raise DocumentError(f"{path} is missing", code="champion_file_missing", file=item.path)
            self._expect(f"{item.path} sha256", item.sha256, file_sha256(path))
            self._expect(f"{item.path} size_bytes", item.size_bytes, path.stat().st_size)
        for item in (card.policy, card.onnx):
            if item.size_bytes > MAX_POLICY_BYTES:
                raise DocumentError(
                    f"{item.path} has {item.size_bytes:,} bytes; {MAX_POLICY_BYTES:,} is the most",
                    code="champion_too_large",
                    file=item.path,
                    size_bytes=item.size_bytes,
                    most=MAX_POLICY_BYTES,
                )
        total = sum(item.size_bytes for item in card.files)
        return f"{len(card.files)} files of {total / 1e3:,.0f} kB"

    def check_policy(self) -> str:
        card = self.card
        contender, policy, stored = load_contender(
            self.champion.policy_path(), self.venue, deterministic=card.deterministic, sha256=card.policy.sha256
        )
        self._expect("policy_arch", card.policy_arch, stored.header.policy_arch)
        self._expect("env_steps_total", card.env_steps_total, stored.header.env_steps_total)
        self._expect("window_id", card.window_id, stored.header.window_id)
        self._expect("origin_run_id", card.origin_run_id, stored.header.run_id)
        self._expect("parameters", card.parameters, sum(part.numel() for part in policy.parameters()))
        self._loaded = [contender]
        self._policy = policy
        return f"{card.policy_arch} of {card.parameters:,} parameters"

    def check_onnx(self) -> str:
        from diorama.learn.policies.export import PolicyStep, compare

        require_onnx()
        venue = self.venue
        step = PolicyStep(self._policy, venue.spec).eval()
        batch = venue.batch(venue.config, _COMPARED_COPIES)
        try:
            agreement = compare(step, self.champion.onnx_path(), batch, decisions=self.decisions)
        finally:
            batch.close()
        if not agreement.is_close:
            raise DocumentError(
                f"{self.card.onnx.path} decides otherwise than {self.card.policy.path}: {agreement.to_json()}",
                code="champion_onnx_differs",
                world=self.world_id,
            )
        return f"agrees with the policy in {agreement.decisions} decisions"

    def check_replay(self) -> str:
        card, layout = self.card, self.champion.layout
        entry = self.champion.replay_index().entry(card.replay_id)
        self._expect("frames", card.frames.path, entry.replay_path)
        self._expect("sidecar", card.sidecar.path, entry.meta_path)
        reader = open_entry(layout, entry)
        played_by = {player.sha256 for player in reader.sidecar.players}
        self._expect("policy of the replay", [card.policy.sha256], sorted(map(str, played_by)))
        verification = verify_replay(reader)
        if not verification.is_faithful:
            raise ReplayDiverged(
                f"{card.replay_id} does not come out again: {verification.divergence}",
                code="champion_replay_diverged",
                world=self.world_id,
            )
        return f"{card.replay_id}: {verification.frames} frames come out again"

    def check_scores(self) -> str:
        card, [contender] = self.card, self._loaded
        seeds = card.evaluation.sample_seeds
        played = play_sample(
            self.venue, contender, seeds, max_decisions=card.evaluation.sample_decisions, progress=self.progress
        )
        drift = max(self.venue.world.drift.values(), default=0.0)
        differing = differing_seeds(card, played, drift=drift)
        if len(differing) > MAX_DIFFERING_SHARE * len(seeds):
            raise DocumentError(
                f"{len(differing)} of {len(seeds)} episodes end otherwise than the card says, the first of them that "
                f"of seed {differing[0]}: the rules of {self.world_id!r} or the policy have changed; build it again",
                code="champion_scores_differ",
                world=self.world_id,
                seeds=differing,
            )
        return f"{len(seeds) - len(differing)} of {len(seeds)} episodes end as the card says"

    def _expect(self, name: str, recorded: object, found: object) -> None:
        if recorded != found:
            raise DocumentError(
                f"the card of {champion_id(self.world_id)} has {name} {_shortened(recorded)}; "
                f"this is {_shortened(found)}",
                code="champion_does_not_fit",
                world=self.world_id,
                field=name,
                recorded=recorded,
                found=found,
            )


def _settings(values: RawObject, where: str) -> TrainingSettings:
    try:
        return TrainingSettings.model_validate(values)
    except ValidationError as error:
        raise DocumentError(
            f"{where}: {first_problem(error)}; build the champion again",
            code="champion_settings_invalid",
            file=where,
        ) from None


def _shortened(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 120 else f"{shown[:117]}..."
