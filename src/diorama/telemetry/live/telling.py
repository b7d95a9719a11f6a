"""`Telling`: the state of a world as it is told, kept up to date from what the world marks as changed."""

from collections.abc import Mapping

from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject, JsonValue
from diorama.telemetry.live.merge_patch import JsonDict, difference, is_same
from diorama.telemetry.live.moments import SCENE
from diorama.telemetry.live.plain_values import absorb, plain, plain_state
from diorama.telemetry.live.privacy import Privacy


def framed(scene: JsonObject) -> JsonObject:
    """A picture as a block: every part in a list of its own, since merge patches carry nulls nowhere but in lists."""
    return {name: [part] for name, part in scene.items()}


class Telling:
    """What has been told of a world; `state` is replaced by every step and never changed in place.

    It goes stale while nobody listens: the next step then begins from scratch.
    """

    def __init__(self, world: LiveWorld) -> None:
        """Begin with nothing told."""
        self._world = world
        self._services: dict[str, JsonValue] = {}
        self.state: JsonDict = {}
        self.is_stale = True
        self.privacy: Privacy | None = None

    def step(self, services: JsonObject, *, with_scene: bool) -> JsonDict:
        """Go to where the world is now.

        Args:
            services: Whole blocks of the services; one that is the very same object as last time is not looked at.
            with_scene: Whether somebody wants the picture of the world.

        Returns:
            The patch that leads there; the whole state where it was stale.
        """
        before = {} if self.is_stale else self.state
        if self.is_stale:
            self._services = {}
        state, patch = absorb(before, self._hidden(self._world.blocks() if self.is_stale else self._world.changes()))
        given = {**services, SCENE: framed(self._world.scene())} if with_scene else services
        state, further = self._with_services(state, given)
        self.state = state
        self.is_stale = False
        return difference(before, state) if patch.keys() & further.keys() else patch | further

    def hide_now(self, privacy: Privacy) -> None:
        """Put what was told so far into other words, and tell everything anew with the next step."""
        self.privacy = privacy
        self.state = privacy.hide_blocks(self.state)
        self.is_stale = True

    def _hidden(self, blocks: JsonObject) -> JsonObject:
        return blocks if self.privacy is None else self.privacy.hide_blocks(blocks)

    def _with_services(self, state: JsonDict, services: JsonObject) -> tuple[JsonDict, JsonDict]:
        state = state.copy()
        patch: JsonDict = {}
        for name in self._services.keys() - services.keys():
            state.pop(name, None)
            patch[name] = None
        for name, value in services.items():
            if name in self._services and self._services[name] is value:
                continue
            before, after = state.get(name), self._block(name, value)
            if isinstance(before, dict) and isinstance(after, dict):
                if inner := difference(before, after):
                    state[name], patch[name] = after, inner
            elif not is_same(before, after):
                state[name] = patch[name] = after
        self._services = dict(services)
        return state, patch

    def _block(self, name: str, value: JsonValue) -> JsonValue:
        hidden = self._hidden({name: value})[name]
        if isinstance(hidden, Mapping):
            return plain_state(hidden)
        return {} if hidden is None else plain(hidden)
