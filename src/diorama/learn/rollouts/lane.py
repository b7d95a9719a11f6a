"""`Lane`: a run of copies that is acted for and stepped together, by one thread."""

import time
from dataclasses import dataclass

import torch

from diorama.contracts.thoughts import Thoughts
from diorama.learn.heads.sampling import Drawing
from diorama.learn.keyed import DrawKey, uniforms
from diorama.learn.rollouts.deciding import Decider
from diorama.learn.rollouts.rollout import Rollout
from diorama.learn.rollouts.source import Advised, ExtraArrays, HearsDecisions, Source, copy_snapshots, restore_copies
from diorama.learn.rollouts.views import decision_views, show_step, step_views


@dataclass(frozen=True, slots=True, kw_only=True)
class Acting:
    """How a rollout is acted: the run's seed, the update's number, shares of exploration, the use of masks.

    Attributes:
        teacher_share: Share of decisions that the world's own controller takes.
        first_row: Rows of the run that others act for before the first one here.
    """

    seed: int
    update: int
    exploration: tuple[float, ...]
    use_masks: bool
    teacher_share: float = 0.0
    first_row: int = 0


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds a lane spent on stepping and on choosing."""

    env: float
    policy: float


@dataclass(frozen=True, slots=True)
class _CutOff:
    """Rows whose episode one step cut off: what they saw last, and what they remembered."""

    step: int
    places: torch.Tensor
    obs: torch.Tensor
    obs_u8: torch.Tensor
    memory: torch.Tensor


class Lane:
    """Copies `first_copy` and on of a rollout.

    Lanes share nothing but the policy, which stands still while they run, so they never wait for one another.
    """

    def __init__(self, source: Source, rollout: Rollout, first_copy: int) -> None:
        """Prepare the views of every step; nothing is opened yet."""
        agents, steps = source.spec.agents, rollout.shape.steps
        self.source = source
        self.first_copy = first_copy
        self._rollout = rollout
        self._rows = rows = slice(first_copy * agents, (first_copy + source.copies) * agents)
        self._buffers = [rollout.buffers(step, first_copy, source.copies) for step in range(steps + 1)]
        self._shown = [step_views(rollout, step, rows) for step in range(steps + 1)]
        self._written = [decision_views(rollout, step, rows) for step in range(steps)]
        self._memory = rollout.memory[rows]
        self._final_obs = rollout.host["final_obs"][rows]
        self._final_obs_u8 = rollout.host["final_obs_u8"][rows]
        self._is_heard = isinstance(source, HearsDecisions) and source.hears_decisions
        self.source.adopt(self._buffers[0])

    def open(self) -> None:
        """Open an episode in every copy."""
        self.source.reset()
        self._copy_extras(0)

    def restore(self, snapshots: list[bytes]) -> None:
        """Continue every copy from its snapshot; the memory and the flags of the rollout are the caller's."""
        self.source.adopt(self._buffers[0])
        restore_copies(self.source, snapshots)
        self._copy_extras(0)

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return copy_snapshots(self.source)

    @torch.inference_mode()
    def collect(self, decider: Decider, acting: Acting) -> Spent:
        """Fill the lane's rows of the rollout: decide, step, and value what comes after."""
        steps = self._rollout.shape.steps
        began, env = time.perf_counter(), 0.0
        cut_off: list[_CutOff] = []
        for step in range(steps):
            self._decide(decider, acting, step)
            if self._is_heard:
                self._explain(decider, acting, step)
            stepping = time.perf_counter()
            self.source.step(self._written[step].sent, self._buffers[step + 1])
            env += time.perf_counter() - stepping
            self._copy_extras(step + 1)
            if self._buffers[step + 1].truncated.any():
                cut_off.append(self._keep_cut_off(step))
        show_step(self._rollout, steps, self._rows)
        last = self._shown[steps]
        last.values.copy_(decider.appraise(last.obs, last.obs_u8, self._memory, last.starts))
        self._value_cut_off(decider, cut_off)
        return Spent(env, time.perf_counter() - began - env)

    def _decide(self, decider: Decider, acting: Acting, step: int) -> None:
        shown, written = self._shown[step], self._written[step]
        show_step(self._rollout, step, self._rows)
        self._keep_memory(step)
        key = DrawKey(seed=acting.seed, update=acting.update, step=step, row=acting.first_row + self._rows.start)
        drawing = Drawing(exploration=acting.exploration, key=key)
        decider.decide(shown, shown.masks if acting.use_masks else None, self._memory, drawing, written)
        if acting.teacher_share:
            self._hand_over(acting.teacher_share, key, step)
        written.send()

    def _explain(self, decider: Decider, acting: Acting, step: int) -> None:
        """Tell the copies how sure the policy was."""
        assert isinstance(self.source, HearsDecisions)
        shown, written = self._shown[step], self._written[step]
        masks = shown.masks if acting.use_masks else None
        probabilities = decider.likelihoods(shown, masks, acting.exploration, written)
        self.source.hear_decisions(
            Thoughts(
                actions=written.sent,
                log_probs=written.log_probs.cpu().numpy(),
                values=shown.values.cpu().numpy(),
                probabilities=None if probabilities is None else probabilities.cpu().numpy(),
            )
        )

    def _hand_over(self, share: float, key: DrawKey, step: int) -> None:
        """Let the world's controller take its share of the decisions."""
        assert isinstance(self.source, Advised)
        actions, device = self._written[step].actions, self._rollout.device
        rows, heads = actions.shape
        # One draw more than there are heads: whose decision it is.
        is_led = uniforms(key.at_head(heads), rows, 1, device)[:, 0] < share
        self._rollout.led[step, self._rows] = is_led
        actions[is_led] = torch.from_numpy(self.source.advise()).to(device)[is_led]

    def _keep_memory(self, step: int) -> None:
        shape = self._rollout.shape
        if shape.memory_width and step % shape.sequence_length == 0:
            self._rollout.chunk_memory[step // shape.sequence_length, self._rows] = self._memory

    def _copy_extras(self, step: int) -> None:
        if self._rollout.host_extras:
            assert isinstance(self.source, ExtraArrays)
            for name, array in self._rollout.host_extras.items():
                array[step, self._rows] = torch.from_numpy(self.source.extra(name))

    def _keep_cut_off(self, step: int) -> _CutOff:
        device = self._rollout.device
        places = torch.from_numpy(self._buffers[step + 1].truncated.nonzero()[0])
        return _CutOff(
            step=step,
            places=places.to(device),
            obs=self._final_obs[places].to(device),
            obs_u8=self._final_obs_u8[places].to(device),
            memory=self._memory[places.to(device)],
        )

    def _value_cut_off(self, decider: Decider, cut_off: list[_CutOff]) -> None:
        if not cut_off:
            return
        memory = torch.cat([item.memory for item in cut_off])
        starts = torch.zeros(1, len(memory), dtype=torch.uint8, device=memory.device)
        obs = torch.cat([item.obs for item in cut_off])
        obs_u8 = torch.cat([item.obs_u8 for item in cut_off])
        values = torch.split(decider.appraise(obs, obs_u8, memory, starts), [len(item.places) for item in cut_off])
        for item, value in zip(cut_off, values, strict=True):
            self._rollout.bootstrap[item.step, self._rows][item.places] = value
