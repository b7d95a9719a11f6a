"""What a command is: its arguments as a model, its role, and what it does."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from pydantic import ConfigDict, ValidationError

from diorama.contracts.live.refusals import CommandError
from diorama.contracts.validation import problem_line
from diorama.contracts.values import JsonObject
from diorama.contracts.zeros import UnsignedZeros


class Arguments(UnsignedZeros):
    """Arguments of a command; positional ones fill the fields in order."""

    # A shell cannot say whether 2024 is a number or the text of a story.
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, coerce_numbers_to_str=True)


SubjectT = TypeVar("SubjectT")
ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)
Role = Literal["viewer", "admin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(Generic[SubjectT, ArgumentsT]):
    """Something an operator can ask of its subject: a world, or the services that run it.

    Attributes:
        role: The lowest role that may give it.
        needs_id: Whether an envelope must carry a `cmd_id`, because the command changes something.
        arguments: Their model.
        run: Executes it and returns its result; raises `CommandError` where it cannot.
        aliases: Other names it answers to.
        needs_id_when: Whether these arguments make it change something, for a command that does only with some.
        is_repeated: Whether a command of the platform is executed again when a log is lived through; those of a world
            always are.
    """

    name: str
    role: Role
    needs_id: bool
    summary: str
    arguments: type[ArgumentsT]
    run: Callable[[SubjectT, ArgumentsT], JsonObject]
    aliases: tuple[str, ...] = ()
    needs_id_when: Callable[[ArgumentsT], bool] | None = None
    is_repeated: bool = False

    @property
    def usage(self) -> str:
        """How it is called, optional arguments in brackets."""
        parts = [
            name if field.is_required() else f"[{name}={field.get_default(call_default_factory=True)!r}]"
            for name, field in self.arguments.model_fields.items()
        ]
        return " ".join([self.name, *parts])

    def changes(self, arguments: ArgumentsT) -> bool:
        """Whether it changes something with these arguments, so that an envelope must carry a `cmd_id`."""
        return self.needs_id if self.needs_id_when is None else self.needs_id_when(arguments)

    def execute(self, subject: SubjectT, args: Sequence[object], kwargs: Mapping[str, object]) -> JsonObject:
        """Bind the arguments and run.

        Raises:
            CommandError: `usage` for too few or too many, `invalid_args` for wrong ones, and what `run` raises.
        """
        return self.run(subject, self.bind(args, kwargs))

    def bind(self, args: Sequence[object], kwargs: Mapping[str, object]) -> ArgumentsT:
        """Check the arguments without running anything: what a dry run does.

        Raises:
            CommandError: `usage` for too few or too many, `invalid_args` for wrong ones.
        """
        names = list(self.arguments.model_fields)
        if len(args) > len(names):
            raise CommandError("usage", "too_many_arguments", f"usage: {self.usage}")
        given: dict[str, Any] = dict(zip(names, args, strict=False))
        if twice := sorted(set(given) & set(kwargs)):
            raise CommandError("usage", "argument_twice", f"{twice[0]} is given twice; usage: {self.usage}")
        try:
            return self.arguments.model_validate({**given, **kwargs})
        except ValidationError as error:
            raise _refusal(error, self.usage) from None


def _refusal(error: ValidationError, usage: str) -> CommandError:
    problems = error.errors(include_url=False)
    lines = [problem_line(item) for item in problems]
    if any(item["type"] in ("missing", "extra_forbidden") for item in problems):
        return CommandError("usage", "arguments", f"{'; '.join(lines)}; usage: {usage}")
    return CommandError("invalid_args", "arguments", "; ".join(lines))
