"""What can be set about a run, a search, a live world and the servers."""

import inspect
from collections.abc import Iterator

from pydantic import BaseModel

from diorama.contracts.live.settings.live import LiveSettings
from diorama.scale.sweeps.spec import SweepSpec
from diorama.server.operation_settings import OperationSettings
from diorama.server.settings import ServerSettings
from diorama.training.settings import TrainingSettings
from reference.markdown import code, page, table, value
from reference.schemas import COLUMNS, attributes, rows_of

_WORLD = "prospector"
_SECRET = "WANDB_API_KEY"
_OTHER_VARIABLES = {
    "DIORAMA_CONSOLE_TOKEN": "Token of the operator: `diorama live` lets in whoever has it, `console`, `events` and "
    "`watch` send it.",
    "DIORAMA_LIVE_URL": "Server that `console`, `events` and `watch` speak to.",
    "DIORAMA_HOOK_MODULES": "Modules, separated by commas, that a stored configuration of `townlet` may load.",
    "DIORAMA_RUNS_QUOTA_BYTES": "Bytes that a directory of runs may take before nothing new is begun in it; no bound "
    "unless given.",
    "DIORAMA_PYTHON": "Interpreter that `repro.sh` of a parity bundle calls; the one that wrote it unless given.",
    "DIORAMA_CAMPAIGN": "File of the campaign that `diorama tidebreak campaign` plays.",
    "DIORAMA_GB_ACCURACY_DIR": "Folder of public test ROMs, for `diorama gameboy accuracy`.",
    "DIORAMA_GB_KERNEL_CACHE": "Folder of generated kernels; `diorama/gameboy` in your cache unless given.",
}


def settings_page() -> str:
    """Return the page of settings."""
    return page(
        "Settings",
        "Keys that do not exist are refused, everywhere. The configuration of each world is on "
        "[its own page](worlds/README.md).",
        (
            _training(),
            _sweep(),
            _live(),
            _environment(),
            _commands(),
        ),
    )


def _training() -> str:
    return "\n\n".join(
        (
            "## A training run",
            "What a preset holds, and what `diorama train WORLD --set KEY=VALUE` sets; the flags of "
            "[`diorama train`](cli.md#diorama-train) are short forms. Defaults are those of `--preset none`: presets "
            "lie over them, flags over presets. Where a number may be a ramp, it is written `{start, end}` with one "
            "of `env_steps`, `updates` and `run_share` for how long it lasts.",
            table(COLUMNS, rows_of(TrainingSettings, _defaults(TrainingSettings, world=_WORLD))),
        )
    )


def _sweep() -> str:
    return "\n\n".join(
        (
            "## A search",
            "The file that [`diorama sweep`](cli.md#diorama-sweep) takes; [a guide](../scaling.md#sweeps) has one.",
            table(COLUMNS, rows_of(SweepSpec, {})),
        )
    )


def _live() -> str:
    return "\n\n".join(
        (
            "## A live world",
            "The file that [`diorama live --services`](cli.md#diorama-live) takes; [a guide](../operate.md) shows how "
            "it is used. The configuration of `townlet` has these sections itself "
            "([its page](worlds/townlet.md#configuration)), with `promotion` under `stability`.",
            table(COLUMNS, rows_of(LiveSettings, _defaults(LiveSettings))),
        )
    )


def _commands() -> str:
    return "\n\n".join(
        (
            "## Other variables",
            "What commands read beside their options.",
            table(("Variable", "Meaning"), ((code(name), meaning) for name, meaning in _OTHER_VARIABLES.items())),
        )
    )


def _environment() -> str:
    return "\n\n".join(
        (
            "## The servers",
            "Variables of the environment of `diorama serve` and `diorama live`; flags beat them. The key of Weights & "
            f"Biases is `{_SECRET}`.",
            table(("Variable", "Default", "Meaning"), _variables()),
        )
    )


def _variables() -> Iterator[tuple[str, ...]]:
    meanings = {
        name: meaning
        for settings in (OperationSettings, ServerSettings)
        for name, meaning in attributes(inspect.cleandoc(settings.__doc__ or "")).items()
    }
    for name, field in ServerSettings.model_fields.items():
        if name == "wandb_api_key":
            continue
        default = field.default
        shown = "in the package" if name == "client_dir" else "none" if default in (None, ()) else _shown(default)
        yield code(f"DIORAMA_{name.upper()}"), shown, meanings[name]


def _shown(default: object) -> str:
    return value(default) if isinstance(default, int | float) else code(str(default))


def _defaults(model: type[BaseModel], **given: object) -> object:
    return model.model_validate(given).model_dump(mode="json")
