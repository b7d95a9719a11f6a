"""The form of every seed: what came in, plus a residual that is zero at birth."""

from collections.abc import Mapping

from torch import Tensor, nn


class SeedModule(nn.Module):
    """A residual map that keeps the shape."""

    def constants(self, gain: float) -> Mapping[str, float]:
        """Return the parameters that start at one value, so that the module is the identity where `gain` is 0."""
        return {}

    def residual(self, features: Tensor) -> Tensor:
        """Return what the seed adds."""
        raise NotImplementedError

    def forward(self, features: Tensor) -> Tensor:
        """Return the features with the residual added."""
        return features + self.residual(features)


class Noop(SeedModule):
    """The identity for ever."""

    def residual(self, features: Tensor) -> Tensor:
        """Return zeros."""
        return features.new_zeros(features.shape)
