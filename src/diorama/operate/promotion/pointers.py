"""Pointers to policies, and what is kept of every change of them."""

from dataclasses import asdict, dataclass

from diorama.contracts.values import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyPointer:
    """A policy that can be run.

    Attributes:
        policy_hash: SHA-256 of its file; the name alone for a scripted one.
        checkpoint: Its file, from the folder of the runs on where it lies there; or the name of a bot.
        config_id: Effective id of the configuration it was promoted under.
        variant: The observation it reads.
        promoted_at: Tick at which it became the release; None while it is not.
    """

    policy_hash: str
    checkpoint: str
    config_id: str
    variant: str
    promoted_at: int | None = None

    @property
    def is_script(self) -> bool:
        """Whether it is a bot, which has no file."""
        return self.policy_hash == self.checkpoint

    def to_json(self) -> JsonObject:
        """As it is told and stored."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionRecord:
    """A change of pointers.

    Attributes:
        action: `promote`, `rollback` or `swap`.
        issuer: Who asked for it; `auto` for the manager itself.
    """

    tick: int
    action: str
    issuer: str
    reason: str
    before: PolicyPointer
    after: PolicyPointer

    def to_json(self) -> JsonObject:
        """As it is told and stored."""
        return asdict(self)
