"""How a seed that is not yet on the output path learns."""

from typing import Literal

Incubation = Literal["straight_through", "shadow"]
"""From the host's own loss, open loop, or from the loss of a second pass with the seed at full strength."""
