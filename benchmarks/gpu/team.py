"""One process of a team on a GPU: gradients travel by NCCL, and what is learned is what one process alone learns."""

import os
from collections.abc import Iterator

import torch
import torch.distributed as dist

import diorama
from diorama.contracts.values import JsonObject
from diorama.learn.distributed import Team, join_team
from diorama.learn.trainer import Trainer
from gpu.network import settings_of
from gpu.trainer import Phases

_UPDATES = 6
_ALONE = {"RANK": "0", "WORLD_SIZE": "1", "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "1"}
_MEETING = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29517", "TORCHELASTIC_RUN_ID": "gpu-team"}


def together(case: JsonObject) -> Iterator[JsonObject]:
    """Train in a team of one and without a team, and compare the weights.

    Raises:
        AssertionError: The gradients did not travel by NCCL, or the weights differ.
    """
    os.environ.update(_ALONE | _MEETING)
    team = join_team(settings_of(case).execution.device)
    backends = dist.get_backend_config()
    in_team, phases = _trained(case, team)
    alone, _ = _trained(case, None)
    apart = max(float((mine - its).abs().max()) for mine, its in zip(in_team, alone, strict=True))
    yield {
        **case,
        "backends": backends,
        "size": team.size,
        "furthest_apart": apart,
        "entropy": phases.reports[-1].entropy,
        "approx_kl": phases.reports[-1].approx_kl,
    }
    team.close()
    assert "cuda:nccl" in backends, f"gradients do not travel by NCCL: {backends}"
    assert apart < 1e-4, f"a team of one learns other weights than one alone: {apart} apart"


def _trained(case: JsonObject, team: Team | None) -> tuple[list[torch.Tensor], Phases]:
    settings, copies, phases = settings_of(case), int(str(case["copies"])), Phases()
    source = diorama.make(str(case["world"]), copies=copies, seed=1)
    trainer = Trainer(source, settings, seed=1, callbacks=[phases], team=team)
    trainer.run(_UPDATES * copies * settings.ppo.rollout_steps)
    trainer.close()
    return [tensor.detach() for tensor in trainer.policy.parameters()], phases
