"""The campaign as a Gymnasium environment: one step is one order and one day."""

from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from diorama.contracts.errors import ConfigError, ContractError, EpisodeOver
from diorama.contracts.values import F32
from diorama.rng.mixing import episode_seed
from diorama.worlds.tidebreak.campaign.battles.fighting import Fight, fight
from diorama.worlds.tidebreak.campaign.campaign import Campaign
from diorama.worlds.tidebreak.campaign.learning.observation import SIZE, observe
from diorama.worlds.tidebreak.campaign.learning.templates import TEMPLATES
from diorama.worlds.tidebreak.campaign.orders import Order, legal_orders
from diorama.worlds.tidebreak.campaign.scenarios import DEFAULT_SCENARIO
from diorama.worlds.tidebreak.limits import SEED_MAX

WAIT: Final = 0


class CampaignEnv(gymnasium.Env[F32, np.int64]):
    """Leads one faction; bots lead the others and scripts fight the battles.

    The reward is the change of the score. An order that is masked out counts as waiting and is named in
    `info["invalid"]`; `info["action_mask"]` and `action_masks()` say what is valid next.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 (Gymnasium declares it as an instance attribute)

    def __init__(
        self,
        scenario: str = DEFAULT_SCENARIO,
        player: str = "accord",
        *,
        seed: int = 0,
        last_day: int | None = None,
        fight: Fight = fight,
        render_mode: str | None = None,
    ) -> None:
        """Make the environment.

        Args:
            scenario: Name of a stored scenario.
            player: Faction that is led.
            seed: Base of the seed sequence until `reset` is given one.
            last_day: Ends episodes earlier than the scenario does.
            fight: Who fights the battles.
            render_mode: There is none.
        """
        if render_mode is not None:
            raise ConfigError(f"render_mode {render_mode!r} is unknown; there is none")
        self.observation_space = spaces.Box(-1.0, 1.0, (SIZE,), np.float32)
        self.action_space = spaces.Discrete(len(TEMPLATES))
        self.render_mode = None
        self._scenario, self._player, self._fight, self._last_day = scenario, player, fight, last_day
        self._base_seed, self._resets = seed, 0
        self._campaign: Campaign | None = None
        self._score = 0.0
        self._choices: list[Order | None] = []

    @property
    def campaign(self) -> Campaign:
        """The campaign that is played; for reading."""
        if self._campaign is None:
            raise ContractError("the environment was never reset; call reset() first")
        return self._campaign

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[F32, dict[str, Any]]:
        """Begin a campaign; there are no options."""
        if options:
            raise ConfigError(f"reset has no options; got {sorted(options)}")
        super().reset(seed=None if seed is None else seed % (1 << 64))
        if seed is None:
            self._resets += 1
            seed = episode_seed(self._base_seed, 0, self._resets)
        else:
            self._base_seed, self._resets = seed, 0
        self._campaign = Campaign(self._scenario, 1 + seed % SEED_MAX, self._player, fight=self._fight)
        if self._last_day is not None:
            self._campaign.state.last_day = min(self._campaign.state.last_day, self._last_day)
        self._score = self._campaign.score()
        return self._look(), self._info(is_invalid=False)

    def step(self, action: np.int64) -> tuple[F32, float, bool, bool, dict[str, Any]]:
        """Give the order of a template and let a day pass, with all its battles."""
        campaign = self.campaign
        if campaign.ending is not None:
            raise EpisodeOver("the campaign is over; call reset() before step()")
        index = int(action)
        if not 0 <= index < len(TEMPLATES):
            raise ContractError(f"action {index} is outside 0..{len(TEMPLATES) - 1}")
        order = self._choices[index]
        if order is not None:
            campaign.submit(order)
        report = campaign.advance()
        while report.pending is not None:
            report = campaign.auto()
        before, self._score = self._score, campaign.score()
        is_invalid = order is None and index != WAIT
        observation, ended = self._look(), campaign.ending is not None
        return observation, self._score - before, ended, False, self._info(is_invalid=is_invalid)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which templates make sense now, as sb3-contrib asks for it; waiting always does."""
        mask = np.array([order is not None for order in self._choices], dtype=np.bool_)
        mask[WAIT] = True
        return mask

    def _look(self) -> F32:
        """Work out today's order of every template, and the observation."""
        state = self.campaign.state
        legal = {order.code for order in legal_orders(state)}
        self._choices = []
        for _name, template in TEMPLATES:
            order = None if state.ending is not None else template(state, self._player)
            self._choices.append(order if order is not None and order.code in legal else None)
        return observe(state, self._player)

    def _info(self, *, is_invalid: bool) -> dict[str, Any]:
        mask = self.action_masks().astype(np.int8)
        return {"day": self.campaign.day, "score": self._score, "invalid": is_invalid, "action_mask": mask}
