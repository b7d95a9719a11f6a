"""The grammar of policy names.

mlp-256x256-tanh-v1             two layers of 256, then linear actor and critic heads
mlp-128x128-relu-separate-v1    the critic has its own layers
mlp-256x128-relu-mingru-v1      two layers, then a recurrent core as wide as the last one
cnn-v1                          convolutions over the first picture among the uint8 fields
cnn-small-v1                    two narrow convolutions rather than three, several times as fast on a CPU
mingru-128-v1, lstm-128-v1      a linear layer, then a recurrent core
cnn-mingru-256-v1               convolutions, then a recurrent core
branches-128-v1                 convolutions over the first float map beside layers over everything else
branches-lstm-128-v1            the same, then a recurrent core
residual-lstm-128-v1            a normalized layer, then an LSTM with a residual connection
residual-lstm-512x2-v1          the same with two LSTM layers
"""

import re
from dataclasses import dataclass

from diorama.contracts.errors import ConfigError
from diorama.learn.settings.policy import MAX_LAYERS, MAX_WIDTH

_GRAMMAR = re.compile(
    r"(?:mlp-(?P<widths>[1-9]\d*(?:x[1-9]\d*)*)-(?P<activation>tanh|relu|gelu|silu)(?:(?P<separate>-separate)|-(?P<core>mingru))?"
    r"|(?P<cnn>cnn)(?P<small>-small)?(?P<cnn_separate>-separate)?"
    r"|branches-(?P<joint>[1-9]\d*)"
    r"|residual-lstm-(?P<residual>[1-9]\d*)(?:x(?P<layers>[1-9]))?"
    r"|(?P<seen>cnn-|branches-)?(?P<memory>mingru|lstm)-(?P<size>[1-9]\d*))-v1"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyName:
    """A parsed policy name.

    Attributes:
        text: The name.
        widths: Layers of an MLP; empty for another encoder.
        activation: Of the MLP.
        has_convolutions: Whether pictures are encoded by convolutions.
        branches: Output width of an encoder with branches; 0 for another encoder.
        is_small: Whether the convolutions are few and narrow.
        is_separate: Whether the critic has its own encoder.
        memory: `mingru`, `lstm` or None.
        memory_size: Width of the recurrent core; 0 without memory.
        residual_layers: Number of residual LSTM layers; 0 for another recurrent core.
    """

    text: str
    widths: tuple[int, ...] = ()
    activation: str = "relu"
    has_convolutions: bool = False
    branches: int = 0
    is_small: bool = False
    is_separate: bool = False
    memory: str | None = None
    memory_size: int = 0
    residual_layers: int = 0


def parse_name(text: str) -> PolicyName:
    """Parse a policy name.

    Raises:
        ConfigError: The name is not valid, and the message has examples; or its layers are too many or too wide.
    """
    match = _GRAMMAR.fullmatch(text)
    if match is None:
        raise ConfigError(
            f"policy.arch: {text!r} is not a policy name; names look like mlp-256x256-tanh-v1,"
            " mlp-128-relu-separate-v1, mlp-256x128-relu-mingru-v1, cnn-v1, cnn-small-v1, mingru-128-v1, lstm-128-v1,"
            " cnn-mingru-256-v1, branches-lstm-128-v1, residual-lstm-128-v1",
            code="policy_name_invalid",
            arch=text,
        )
    sizes = [int(size) for size in re.findall(r"\d+", text.removesuffix("-v1"))]
    if len(sizes) > MAX_LAYERS or max(sizes, default=0) > MAX_WIDTH:
        raise ConfigError(
            f"policy.arch: {text!r} has {len(sizes)} layers, the widest of {max(sizes)}; at most {MAX_LAYERS} of "
            f"{MAX_WIDTH} are built",
            code="policy_too_large",
            arch=text,
            most_layers=MAX_LAYERS,
            most_width=MAX_WIDTH,
        )
    if match["widths"]:
        widths = tuple(int(width) for width in match["widths"].split("x"))
        return PolicyName(
            text=text,
            widths=widths,
            activation=match["activation"],
            is_separate=match["separate"] is not None,
            memory=match["core"],
            memory_size=widths[-1] if match["core"] else 0,
        )
    if match["cnn"]:
        return PolicyName(
            text=text,
            has_convolutions=True,
            is_small=match["small"] is not None,
            is_separate=match["cnn_separate"] is not None,
        )
    if match["joint"]:
        return PolicyName(text=text, branches=int(match["joint"]))
    if match["residual"]:
        return PolicyName(
            text=text,
            memory="lstm",
            memory_size=int(match["residual"]),
            residual_layers=int(match["layers"] or 1),
        )
    size = int(match["size"])
    return PolicyName(
        text=text,
        has_convolutions=match["seen"] == "cnn-",
        branches=size if match["seen"] == "branches-" else 0,
        memory=match["memory"],
        memory_size=size,
    )
