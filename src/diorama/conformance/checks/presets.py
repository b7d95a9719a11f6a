"""Presets: each of the world's YAML files makes a run that could be trained."""

from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.contracts.errors import DioramaError, MissingExtra
from diorama.training.plan import plan_training
from diorama.training.presets import Layer, load_preset, preset_names, settings_of


def check_presets(subject: Subject, report: Report) -> None:
    """Read every preset and plan a run with it; nothing is trained."""
    world_id = subject.world.id
    names = preset_names(world_id)
    if not names:
        report.skip("the world has no presets; 'diorama train' takes the defaults, which suit short runs")
        return
    for name in names:
        try:
            plan_training(settings_of([load_preset(world_id, name), Layer(source="world", values={"world": world_id})]))
        except MissingExtra as missing:
            report.note(f"{name}: {missing}")
        except DioramaError as error:
            report.fail(
                f"preset {name!r}: {error}", fix=f"mend presets/{name}.yaml; 'diorama train --help' has the keys"
            )
    report.note(f"{len(names)} presets: {', '.join(names)}")
