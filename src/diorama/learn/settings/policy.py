"""Settings of a policy network and its heads."""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat

from diorama.contracts.errors import UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.learn.settings.schedules import Scheduled, Settings, value_at

DEFAULT_ARCH = "mlp-256x256-tanh-v1"
MAX_WIDTH = 1 << 16  # of a layer
MAX_LAYERS = 64  # one after another

Width: TypeAlias = Annotated[int, Field(gt=0, le=MAX_WIDTH)]
Hidden: TypeAlias = Annotated[tuple[Width, ...], Field(max_length=MAX_LAYERS)]


class RelevanceSettings(Settings):
    """The head is relevant only after certain options of another head; otherwise its action is the placeholder."""

    given: str = Field(description="name of the other head")
    options: tuple[str, ...] = Field(min_length=1, description="its options under which this head is relevant")


class ConditionalMaskSettings(Settings):
    """The mask of the head depends on the option of another head."""

    given: str = Field(description="name of the other head")
    extra: str = Field(
        description="extra array of the batch: rows x (options of `given` x options of this head), uint8"
    )


class HeadSettings(Settings):
    """Special settings of one action head; a head without an entry has the defaults."""

    inputs: tuple[str, ...] = Field((), description="heads sampled before, whose actions feed this head's logits")
    hidden: Hidden = Field((), description="hidden ReLU layers between features and logits")
    relevance: RelevanceSettings | None = Field(None, description="when the head is relevant; None = always")
    placeholder: str | None = Field(None, description="its option when it is not relevant; None = the no-op")
    conditional_mask: ConditionalMaskSettings | None = Field(None, description="None = the mask of the batch")
    exploration: Scheduled = Field(0.0, description="weight of a uniform choice among valid options (0 to 1)")
    entropy_weight: NonNegativeFloat = Field(1.0, description="factor of this head's entropy in the entropy bonus")


class AuxiliarySettings(Settings):
    """A head that predicts an extra array of the batch, trained with a squared error."""

    target: str = Field(description="extra array of the batch, rows x width, float32; NaN entries are left out")
    width: Width | str = Field(description="numbers per row, or the name of a head with as many options")
    hidden: Hidden = Field((256, 128), description="hidden ReLU layers")
    coefficient: Scheduled = Field(0.05, description="weight of its loss")
    clip: PositiveFloat = Field(10.0, description="targets are clamped to this magnitude and divided by it")
    detached: bool = Field(True, description="whether its gradient stops at the shared features")
    normalized_layers: NonNegativeInt = Field(
        0, description="how many hidden layers, from the first, normalize their outputs"
    )
    dropout: float = Field(0.0, ge=0.0, lt=1.0, description="dropout rate of the first hidden layer during updates")

    def width_in(self, spec: WorldSpec) -> int:
        """Return the numbers per row for a world.

        Raises:
            UnknownName: The world has no head of that name.
        """
        if isinstance(self.width, int):
            return self.width
        sizes = {head.name: len(head.options) for head in spec.heads}
        if self.width not in sizes:
            raise UnknownName.among("action head", self.width, sizes, code="unknown_action_head")
        return sizes[self.width]


class EntitySettings(Settings):
    """A table inside the observation whose rows, the entities, share an encoder."""

    options: str | None = Field(
        None,
        description="common beginning of the options that point at the entities, one for each, such as"
        " SELECT_ASTEROID_; None = no option points at them",
    )
    width: Width = Field(32, description="width of the embeddings")


class PolicySettings(Settings):
    """The network."""

    arch: str = Field(
        DEFAULT_ARCH,
        max_length=256,
        description="policy by name, such as mlp-256x256-tanh-v1, mlp-256x128-relu-mingru-v1, cnn-v1",
    )
    embeddings: Mapping[str, Width] = Field(
        default_factory=dict, description="byte fields that are embedded, and the width of their embeddings"
    )
    entities: Mapping[str, EntitySettings] = Field(
        default_factory=dict,
        description="fields of the observation that are tables of entities x numbers: an encoder that all entities of a"
        " table share embeds each of them, the maximum over them joins the observation, and options may point at them",
    )
    heads: Mapping[str, HeadSettings] = Field(default_factory=dict, description="special action heads by name")
    auxiliary: Mapping[str, AuxiliarySettings] = Field(
        default_factory=dict, max_length=MAX_LAYERS, description="auxiliary heads by name"
    )
    actor_gain: PositiveFloat = Field(
        0.01, description="gain of the orthogonal initialization of the last actor layers"
    )
    critic_gain: PositiveFloat = Field(
        1.0, description="gain of the orthogonal initialization of the last critic layer"
    )
    critic_hidden: Hidden = Field((), description="hidden ReLU layers of the critic, not shared with the actor")
    critic_normalized_layers: NonNegativeInt = Field(
        0, description="how many of them, from the first, normalize their outputs"
    )
    value_components: Mapping[str, Scheduled] = Field(
        default_factory=dict,
        description="every term of the world's reward, each of which the critic then predicts with an output of its"
        " own, and the weights with which their advantages are summed; {} = one output for the whole reward",
    )

    def component_weights(self, env_steps: int) -> tuple[float, ...]:
        """Return the weights of the value components, sorted by name, after this many env steps."""
        return tuple(value_at(self.value_components[name], env_steps) for name in sorted(self.value_components))
