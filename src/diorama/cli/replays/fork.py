"""Who goes on with a replay that is forked from the command line."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from diorama.contracts.errors import ConfigError
from diorama.contracts.spec import ActionHead, WorldSpec
from diorama.contracts.values import I32
from diorama.engine.players import BatchPlayer, bot_contender
from diorama.engine.venue import Venue
from diorama.runs.layout import RunLayout
from diorama.runs.replays.fork import given_continuation
from diorama.runs.replays.reader import ReplayReader
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind

_STEPS, _SEATS, _HEADS = ",", "/", "+"
_GIVEN: Final = "given actions"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPlayer:
    """A player for all seats.

    Attributes:
        facts: What the sidecar says about it, seat by seat.
        steps: How far it can go; None if there is no limit.
        env_steps_total: How long its run had trained; None if it did not.
    """

    player: BatchPlayer
    facts: tuple[PlayerFacts, ...]
    steps: int | None = None
    env_steps_total: int | None = None


def choose_player(
    layout: RunLayout,
    reader: ReplayReader,
    venue: Venue,
    *,
    frame: int,
    bot: str | None,
    policy: str | None,
    actions: str | None,
    is_stochastic: bool,
    checkpoint: str | None,
) -> ChosenPlayer:
    """Return who goes on.

    Raises:
        ConfigError: Not exactly one of bot, policy and actions was given, or the actions make no sense.
        UnknownName: There is no such bot, run or checkpoint.
    """
    if sum(choice is not None for choice in (bot, policy, actions)) != 1:
        raise ConfigError("say who goes on: exactly one of --bot, --policy and --actions")
    if is_stochastic and policy is None:
        raise ConfigError("--stochastic needs --policy; bots and given actions are what they are")
    if checkpoint is not None and policy is None:
        raise ConfigError(
            "--checkpoint needs --policy; bots and given actions have none", code="checkpoint_without_run"
        )
    if bot is not None:
        player = bot_contender(venue.world, bot).start(venue.spec, venue.spec.agents)
        return ChosenPlayer(player=player, facts=_seats(venue.spec, PlayerKind.BOT, bot))
    if policy is not None:
        return _policy_player(layout, venue, policy, checkpoint, is_deterministic=not is_stochastic)
    decided = parse_actions(venue.spec, actions or "")
    given, _ = given_continuation(reader, venue, frame=frame, actions=decided)
    return ChosenPlayer(player=given, facts=_seats(venue.spec, PlayerKind.ACTIONS, _GIVEN), steps=len(decided))


def parse_actions(spec: WorldSpec, text: str) -> I32:
    """Read decisions from a text, steps by seats by heads.

    Raises:
        ConfigError: With the part that is wrong.
    """
    return np.array([_parse_step(spec, step.strip()) for step in text.split(_STEPS)], np.int32)


def _parse_step(spec: WorldSpec, text: str) -> list[list[int]]:
    seats = text.split(_SEATS)
    if len(seats) != spec.agents:
        raise ConfigError(f"--actions: {text!r} decides for {len(seats)} seat(s); {spec.world!r} has {spec.agents}")
    return [_parse_decision(spec, seat) for seat in seats]


def _parse_decision(spec: WorldSpec, text: str) -> list[int]:
    options = text.split(_HEADS)
    if len(options) != len(spec.heads):
        raise ConfigError(
            f"--actions: {text!r} chooses for {len(options)} head(s); {spec.world!r} has {len(spec.heads)}"
        )
    return [_parse_option(head, option.strip()) for head, option in zip(spec.heads, options, strict=True)]


def _parse_option(head: ActionHead, text: str) -> int:
    if text in head.options:
        return head.options.index(text)
    if not text.isdecimal() or int(text) >= len(head.options):
        raise ConfigError(
            f"--actions: {text!r} is no option of {head.name!r}; use a name such as {head.options[head.noop]} "
            f"or a number of 0..{len(head.options) - 1}"
        )
    return int(text)


def _policy_player(
    layout: RunLayout, venue: Venue, run_id: str, checkpoint: str | None, *, is_deterministic: bool
) -> ChosenPlayer:
    from diorama.learn.evaluation.policy_player import policy_contender
    from diorama.runs.champions import find_run
    from diorama.runs.checkpoints.choosing import choose_checkpoint
    from diorama.training.policy_files import load_policy

    owner = find_run(layout.directory.parent, run_id).layout
    path = choose_checkpoint(owner, checkpoint)
    policy, stored = load_policy(path, venue.spec)
    contender = policy_contender(f"{run_id} window {stored.header.window_id}", policy, deterministic=is_deterministic)
    facts = PlayerFacts(
        kind=PlayerKind.CHECKPOINT,
        name=contender.name,
        checkpoint_path=layout.relative(path) if owner == layout else None,
        sha256=stored.sha256,
        deterministic=is_deterministic,
    )
    return ChosenPlayer(
        player=contender.start(venue.spec, venue.spec.agents),
        facts=(facts,) * venue.spec.agents,
        env_steps_total=stored.header.env_steps_total,
    )


def _seats(spec: WorldSpec, kind: PlayerKind, name: str) -> tuple[PlayerFacts, ...]:
    return (PlayerFacts(kind=kind, name=name, deterministic=True),) * spec.agents
