"""`World`: what a world registers with the platform."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from diorama.contracts.bots import BatchedBot, Bot
from diorama.contracts.campaigns import Campaigns
from diorama.contracts.casts import Cast
from diorama.contracts.config import ConfigT
from diorama.contracts.consoles import Consoles
from diorama.contracts.courses import Course
from diorama.contracts.matches import CurriculumStage, EvaluationSuite, MatchRules
from diorama.contracts.plans import CopyCost, EvaluationProtocol, ParityPlan, TelemetryPlan, TrainingNeeds
from diorama.contracts.resident import ResidentCore
from diorama.contracts.reward_terms import RewardTerms
from diorama.contracts.rounds import RoundsOpener
from diorama.contracts.spec import WorldSpec
from diorama.contracts.tiers import BatchCore, CoreRequest, Simulation
from diorama.contracts.values import JsonObject

if TYPE_CHECKING:
    from PIL.Image import Image

    from diorama.contracts.live.commands import Command
    from diorama.contracts.live.world import LiveOffer


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the player of a seat may see of a moment: its picture, and the names of the events that led to it."""

    picture: JsonObject
    events: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class World(Generic[ConfigT]):
    """A world and everything it offers.

    Attributes:
        id: As in `diorama.make(id)`.
        summary: One sentence.
        config_type: The model of its configuration; the defaults are the default world.
        variants: Named configurations whose contract is frozen in a golden file besides the default.
        describe: The contract of a configuration.
        simulate: One copy of the readable tier.
        accelerate: A block of copies of the fast tier; raises `TierUnavailable` where it cannot run.
        assemble: A block of copies of the readable tier, for a world whose copies belong together; None steps copies
            of `simulate` one after another.
        reside: Copies that live on the device of a policy, for a world that can be stepped there; raises
            `TierUnavailable` where it cannot run. None for a world that is stepped on the host.
        tolerance: How far floats of the two tiers may lie apart, relative and absolute; 0 where they agree bit for bit.
        drift: By number of the render state, how far an episode that is simulated again elsewhere, on another machine
            or in the other tier, may lie from its recording, while everything discrete is the same; empty for a world
            that comes out the same everywhere.
        bots: Scripted baselines by name.
        batched_bots: Those of them that compiled code plays for any number of rows at once; they raise
            `TierUnavailable` where it cannot run.
        expert: Name of the bot whose actions `Batch.expert_actions` returns, exactly and for all rows at once; None for
            a world without an expert.
        companion: Name of the bot that plays the seats which nobody plays by hand, by configuration, and all of them
            where the world runs live; None, or a world without it, leaves them to the bot that is like the expert,
            or where there is none to the no-op.
        parity: How the two tiers are compared.
        evaluation: How policies are judged.
        draw: A picture of a moment, from its render state and the names of the events that led to it; None for a
            world without pictures. Pictures of one world all have the same size.
        seen_by: What the player of a seat may see, from a render state and the seat; None for a world that keeps no
            secrets from its players.
        explain_mask: For every option of all heads why it is not valid now, from a render state and a seat; empty
            where it is. None for a world that does not say.
        cost: What one copy costs at most, by configuration, so that a server can refuse what would take too long; None
            for a world whose configurations all cost little.
        campaigns: The longer game whose battles are episodes of the world; None for a world without one.
        consoles: The machines of a world that can be played key by key; None for a world without any.
        commands: Its own console commands where it runs live over a batch; they are given `Batch.desk`.
        live: What it offers to whoever runs it live, beyond what every world has; None for nothing.
        cast: The agents of a world whose seats change hands while a copy runs; None where whoever has a seat keeps it.
        overlays: Named overlays of a configuration that make up a curriculum, from easy to hard; empty for none.
        course: How its configuration changes while a policy learns in it; None where it never does.
        telemetry: What it adds to the telemetry of policy updates; None for nothing.
        training: What a trainer must keep to, by configuration; None for nothing.
        rounds: Keeps the rounds of a world whose copies play in rounds that an update closes; None for any other.
        reward_terms: What its rewards are sums of; None for a world that does not say.
        matches: How it is fought by sides; None for a world without opponents.
        curriculum: Stages from easy to hard; empty for a world without any.
        suite: Frozen scenes in which a policy meets every script; None for a world without opponents.
    """

    id: str
    summary: str
    config_type: type[ConfigT]
    variants: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    describe: Callable[[ConfigT], WorldSpec]
    simulate: Callable[[ConfigT], Simulation]
    accelerate: Callable[[ConfigT, CoreRequest], BatchCore]
    bots: Mapping[str, Callable[[], Bot]]
    parity: ParityPlan
    evaluation: EvaluationProtocol
    assemble: Callable[[ConfigT, CoreRequest], BatchCore] | None = None
    reside: Callable[[ConfigT, CoreRequest], ResidentCore] | None = None
    tolerance: float = 0.0
    drift: Mapping[str, float] = field(default_factory=dict)
    batched_bots: Mapping[str, Callable[[int], BatchedBot]] = field(default_factory=dict)
    expert: str | None = None
    companion: Callable[[ConfigT], str | None] | None = None
    draw: "Callable[[JsonObject, Sequence[str]], Image] | None" = None
    seen_by: Callable[[JsonObject, int], Seen] | None = None
    explain_mask: Callable[[JsonObject, int], tuple[str, ...]] | None = None
    cost: Callable[[ConfigT], CopyCost] | None = None
    cast: Cast[ConfigT] | None = None
    overlays: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    course: Course[ConfigT] | None = None
    telemetry: TelemetryPlan | None = None
    training: Callable[[ConfigT], TrainingNeeds] | None = None
    rounds: RoundsOpener | None = None
    reward_terms: RewardTerms[ConfigT] | None = None
    matches: MatchRules[ConfigT] | None = None
    curriculum: tuple[CurriculumStage, ...] = ()
    suite: EvaluationSuite | None = None
    campaigns: Campaigns | None = None
    consoles: Consoles | None = None
    commands: "tuple[Command[Any, Any], ...]" = ()
    live: "LiveOffer | None" = None
