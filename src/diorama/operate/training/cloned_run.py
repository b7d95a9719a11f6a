"""A run that only imitates: its one checkpoint is what other runs start from."""

from dataclasses import asdict, dataclass
from pathlib import Path

from diorama.contracts.errors import ConfigError
from diorama.learn.imitation.cloning import CloningReport
from diorama.learn.imitation.dataset_files import MANIFEST_FILE, read_bytes, sha256_of
from diorama.learn.imitation.judging import Agreement, refuse_poor_clone
from diorama.learn.policies.policy import policy_hash
from diorama.learn.settings import CloningSettings
from diorama.operate.training.checkpointing import WINDOWS
from diorama.operate.training.learners import training_batch
from diorama.operate.training.listener import WindowCallback
from diorama.operate.training.opening import check_new, create
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.policy_files import policy_checkpoint
from diorama.operate.training.ppo_learner import PpoLearner
from diorama.operate.training.watching import ProgressReporter
from diorama.runs.clock import Clock, timestamp
from diorama.runs.documents import replace_document
from diorama.runs.layout import RunLayout
from diorama.runs.windows import WindowAggregator

RESULT_FILE = "cloning.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clone:
    """A policy that has been cloned and judged; `keep` writes it."""

    report: CloningReport
    agreement: Agreement
    policy_hash: str
    manifest_sha256: str


class CloningSession:
    """Clones a dataset as a plan says; nothing is written before `keep`."""

    def __init__(
        self, plan: TrainingPlan, runs_root: Path, run_id: str, *, watch: ProgressReporter, clock: Clock
    ) -> None:
        """Check everything that can be checked beforehand.

        Raises:
            ConfigError: The plan does not clone a dataset.
            RunConflict: There is a run of that id.
        """
        cloning = plan.settings.cloning
        if cloning is None or cloning.dataset is None:
            raise ConfigError("cloning.dataset is missing; name the dataset to clone")
        self._plan = plan
        self._cloning: CloningSettings = cloning
        self._dataset = Path(cloning.dataset)
        self._layout = check_new(runs_root, run_id)
        self._clock = clock
        self._aggregator = WindowAggregator(
            plan.spec,
            run_id=run_id,
            copies=plan.settings.copies,
            window_env_steps=plan.settings.windows.env_steps,
            clock=clock,
        )
        self._batch = training_batch(plan)
        self._learner = PpoLearner(self._batch, plan, WindowCallback(self._aggregator, watch, clock))

    def clone(self) -> Clone:
        """Imitate, and compare with what was held out.

        Raises:
            UnknownName: There is no such dataset.
            DocumentError: It is broken, was changed, or belongs to another world or layout.
        """
        imitated = self._learner.imitate(self._cloning.model_copy(update={"gate": None}))
        assert imitated is not None
        assert imitated.agreement is not None
        return Clone(
            report=imitated.report,
            agreement=imitated.agreement,
            policy_hash=policy_hash(self._learner.policy, self._plan.spec),
            manifest_sha256=sha256_of(read_bytes(self._dataset / MANIFEST_FILE)),
        )

    def keep(self, clone: Clone) -> RunLayout:
        """Write the run, if the clone passes its gate.

        Raises:
            CloneRefused: It does not; nothing is written.
            StorageError: The disk refuses.
        """
        if self._cloning.gate is not None:
            refuse_poor_clone(clone.agreement, self._cloning.gate)
        plan, settings = self._plan, self._plan.settings
        writer = create(self._layout.directory.parent, self._layout.run_id, plan, self._batch, self._clock)
        with writer:
            header = policy_checkpoint(
                plan.spec,
                settings.policy,
                settings.normalization,
                run_id=self._layout.run_id,
                window_id=0,
                env_steps_total=0,
                created_at=timestamp(self._clock.now()),
            )
            writer.write_checkpoint(header, self._learner.state(), services={WINDOWS: self._aggregator.state()})
            replace_document(
                self._layout.directory / RESULT_FILE,
                {
                    "dataset": self._dataset.name,
                    "manifest_sha256": clone.manifest_sha256,
                    "policy_hash": clone.policy_hash,
                    "decisions": clone.report.decisions,
                    "agreement": asdict(clone.agreement),
                    "gate": None if self._cloning.gate is None else self._cloning.gate.model_dump(mode="json"),
                },
            )
            writer.keeper.completed(self._aggregator.totals)
        return self._layout

    def close(self) -> None:
        """End the threads."""
        self._learner.close()
