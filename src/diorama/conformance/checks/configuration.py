"""The configuration: explained, strict, and the same after a trip through JSON."""

from typing import Final

from pydantic import BaseModel, ValidationError

from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.contracts.config import WorldConfig, config_hash

_NO_KEY: Final = "no_key_of_any_world"


def check_configuration(subject: Subject, report: Report) -> None:
    """Look at the model of the configuration, and at the configuration itself."""
    model, config = subject.world.config_type, subject.config
    for key in undocumented(model):
        report.fail(f"the key {key!r} is not explained", fix=f"write {key}: ... = Field(..., description='...')")
    copied = model.model_validate_json(config.model_dump_json())
    report.expect(
        copied == config and copied.canonical() == config.canonical(),
        "the configuration is another one after a trip through JSON",
        fix="use values that JSON has: numbers, text, lists, models",
    )
    config_hash(subject.spec.interface_version, subject.world.id, config)
    report.expect(
        _refuses_unknown_keys(model),
        "a key that does not exist is accepted",
        fix="keep extra='forbid' of WorldConfig, so that a typing error is told",
    )
    report.expect(
        bool(model.model_config.get("frozen")),
        "the configuration can be changed",
        fix="keep frozen=True of WorldConfig",
    )


def undocumented(model: type[BaseModel]) -> list[str]:
    """Return the keys without a description; a section may be described by its own model."""
    return [
        key
        for key, item in model.model_fields.items()
        if not item.description and not _is_described_section(item.annotation)
    ]


def _is_described_section(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel) and bool(annotation.__doc__)


def _refuses_unknown_keys(model: type[WorldConfig]) -> bool:
    try:
        model.model_validate({_NO_KEY: 1})
    except ValidationError as error:
        return any(item["type"] == "extra_forbidden" for item in error.errors())
    return False
