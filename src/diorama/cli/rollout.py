"""`diorama rollout`: one episode of a scripted bot, step by step, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from diorama.cli.completion import complete_bot
from diorama.cli.options import ConfigOption, LineFormatOption, TierOption, WorldArgument, parse_settings
from diorama.contracts.errors import UnknownName

if TYPE_CHECKING:
    from diorama.cli.tellers import Teller, Told
    from diorama.contracts.bots import Bot
    from diorama.engine.batch import Batch


def rollout(
    world: WorldArgument,
    bot: Annotated[str, typer.Option(help="Scripted baseline that plays.", autocompletion=complete_bot)],
    seed: Annotated[int, typer.Option(help="Episode seed.")] = 0,
    steps: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many decisions.", show_default="at the end of the episode")
    ] = None,
    config: ConfigOption = None,
    tier: TierOption = "auto",
    form: LineFormatOption = "text",
) -> None:
    """Play one episode with a scripted bot and tell what happens."""
    from diorama.cli.tellers import JsonTeller, TextTeller
    from diorama.engine.make import make

    batch = make(world, config=parse_settings(config), tier=tier, threads=1)
    if bot not in batch.world.bots:
        raise UnknownName.among(f"bot of {world!r}", bot, batch.world.bots)
    bots = [batch.world.bots[bot]() for _ in range(batch.spec.agents)]
    teller: Teller = JsonTeller(batch.spec) if form == "json" else TextTeller(batch.spec)
    batch.reset([seed])
    teller.begin(batch, bot)
    for told in _play(batch, bots, steps or batch.world.evaluation.max_decisions):
        teller.step(told)
    teller.end(told)


def _play(batch: Batch, bots: list[Bot], steps: int) -> Iterator[Told]:
    import numpy as np

    from diorama.cli.tellers import Told

    episode_seed = batch.episode_seed(0)
    for player in bots:
        player.reset(episode_seed)
    tick = 0
    for step in range(steps):
        decisions = [
            player.act(batch.obs[row], batch.obs_u8[row], batch.masks[row]) if batch.alive[row] else batch.spec.noop
            for row, player in enumerate(bots)
        ]
        batch.step(np.array(decisions, np.int32))
        record = batch.step_record(0)
        tick += record.dt
        # The copy that ended has been reset inside the step, and plays another seed.
        has_ended = batch.episode_seed(0) != episode_seed
        yield Told(step=step, tick=tick, record=record, has_ended=has_ended)
        if has_ended:
            return
