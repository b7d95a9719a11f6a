"""Settings of a policy network and its heads."""

from collections.abc import Mapping

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from diorama.contracts.errors import UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.learn.settings.schedules import Scheduled, Settings

DEFAULT_ARCH = "mlp-256x256-tanh-v1"


class RelevanceSettings(Settings):
    """The head matters only after certain choices of another head; otherwise it carries its placeholder."""

    given: str = Field(description="name of the head that decides")
    options: tuple[str, ...] = Field(min_length=1, description="its options under which this head matters")


class ConditionalMaskSettings(Settings):
    """The mask of the head depends on the choice of another head."""

    given: str = Field(description="name of the head that decides")
    extra: str = Field(
        description="extra array of the batch: rows x (options of `given` x options of this head), uint8"
    )


class HeadSettings(Settings):
    """What is special about one action head; a head without an entry is plain."""

    inputs: tuple[str, ...] = Field((), description="heads chosen before, whose choices feed this head's logits")
    hidden: tuple[PositiveInt, ...] = Field((), description="hidden ReLU layers between features and logits")
    relevance: RelevanceSettings | None = Field(None, description="when the head matters; None = always")
    placeholder: str | None = Field(None, description="option it carries when it does not matter; None = the no-op")
    conditional_mask: ConditionalMaskSettings | None = Field(None, description="None = the mask of the batch")
    exploration: Scheduled = Field(0.0, description="share of uniform choice among valid options mixed in (0 to 1)")
    entropy_weight: NonNegativeFloat = Field(1.0, description="factor of this head's entropy in the bonus")


class AuxiliarySettings(Settings):
    """A further head that predicts an array the batch adds, trained with a squared error."""

    target: str = Field(description="extra array of the batch, rows x width, float32; NaN = nothing to learn there")
    width: PositiveInt | str = Field(description="numbers per row, or the head that has as many options")
    hidden: tuple[PositiveInt, ...] = Field((256, 128), description="hidden ReLU layers")
    coefficient: Scheduled = Field(0.05, description="weight of its loss")
    clip: PositiveFloat = Field(10.0, description="targets are clamped to this magnitude and divided by it")
    detached: bool = Field(True, description="whether its gradient stops before the shared features")
    normalized_layers: NonNegativeInt = Field(0, description="first hidden layers whose outputs are normalized")
    dropout: float = Field(0.0, ge=0.0, lt=1.0, description="share of the first hidden layer left out while learning")

    def width_in(self, spec: WorldSpec) -> int:
        """Return the numbers per row in a world.

        Raises:
            UnknownName: The world has no head of that name.
        """
        if isinstance(self.width, int):
            return self.width
        sizes = {head.name: len(head.options) for head in spec.heads}
        if self.width not in sizes:
            raise UnknownName.among("action head", self.width, sizes)
        return sizes[self.width]


class PolicySettings(Settings):
    """The network."""

    arch: str = Field(DEFAULT_ARCH, description="policy by name, such as mlp-256x256-tanh-v1, mingru-128-v1, cnn-v1")
    embeddings: Mapping[str, PositiveInt] = Field(
        default_factory=dict, description="byte fields whose entries are names, and how many numbers stand for a name"
    )
    heads: Mapping[str, HeadSettings] = Field(default_factory=dict, description="special action heads by name")
    auxiliary: Mapping[str, AuxiliarySettings] = Field(default_factory=dict, description="auxiliary heads by name")
    actor_gain: PositiveFloat = Field(0.01, description="gain of the orthogonal start of the last actor layers")
    critic_gain: PositiveFloat = Field(1.0, description="gain of the orthogonal start of the last critic layer")
    critic_hidden: tuple[PositiveInt, ...] = Field((), description="hidden ReLU layers of the critic alone")
    critic_normalized_layers: NonNegativeInt = Field(0, description="first of them whose outputs are normalized")
