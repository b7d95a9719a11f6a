"""Nothing that is read from a file or a socket is executed: no module of ours calls what would do it.

Whoever must is listed here with the reason, and the list holds nobody who no longer must.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "diorama"

FORBIDDEN_MODULES = frozenset(
    {"pickle", "cloudpickle", "dill", "joblib", "marshal", "shelve", "code", "codeop", "runpy"}
)
FORBIDDEN_CALLS = frozenset(
    {
        *("eval", "exec", "compile", "__import__", "import_module", "os.system", "os.popen", "torch.load"),
        *("yaml.load", "yaml.unsafe_load", "yaml.full_load", "yaml.load_all", "np.load", "numpy.load", "np.loadtxt"),
        *("pandas.read_pickle", "logging.config.dictConfig", "importlib.import_module", "pydoc.locate"),
    }
)
ALLOWED: dict[tuple[str, str], str] = {
    ("learn/distributed.py", "pickle"): "processes of one training, which this one has started, speak to each other",
    ("native.py", "import_module"): "the compiled core, by a name that is written there",
    ("training/presets.py", "import_module"): "the package of a registered world, beside which its presets lie",
    ("worlds/registry.py", "import_module"): "worlds, by the table and the entry points of installed packages",
    ("worlds/gameboy/kernel/warp_device.py", "import_module"): "Warp, by a name that is written there",
    ("worlds/gameboy/lanes.py", "import_module"): "parts of this package, by a table of names",
    (
        "worlds/townlet/tables/custom_hooks.py",
        "import_module",
    ): "modules that the operator's own configuration names, or that DIORAMA_HOOK_MODULES allows to stored ones",
    ("worlds/morphogenesis/data/digits.py", "np.loadtxt"): "the digits that come with scikit-learn; numbers alone",
}


def _name(call: ast.expr) -> str | None:
    match call:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            return f"{_name(value)}.{attribute}"
    return None


def _uses(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name.partition(".")[0] in FORBIDDEN_MODULES)
            case ast.ImportFrom(module=str() as module) if module.partition(".")[0] in FORBIDDEN_MODULES:
                yield module
            case ast.Call(func=func):
                name = _name(func)
                if name in FORBIDDEN_CALLS:
                    yield name
                for keyword in node.keywords:
                    is_true = isinstance(keyword.value, ast.Constant) and keyword.value.value is True
                    if keyword.arg in {"shell", "allow_pickle"} and is_true:
                        yield f"{keyword.arg}=True"
                    if keyword.arg == "weights_only" and not is_true:
                        yield "weights_only"


def _found() -> set[tuple[str, str]]:
    return {
        (path.relative_to(SOURCE).as_posix(), use)
        for path in sorted(SOURCE.rglob("*.py"))
        for use in _uses(ast.parse(path.read_bytes()))
    }


def test_no_module_executes_what_it_reads_but_for_those_with_a_reason() -> None:
    assert _found() == set(ALLOWED)


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "from pickle import loads",
        "x = eval('1')",
        "torch.load(path)",
        "yaml.load(text, Loader)",
        "subprocess.run(text, shell=True)",
        "np.load(path, allow_pickle=True)",
        "load(path, weights_only=False)",
    ],
)
def test_the_check_notices(text: str) -> None:
    assert list(_uses(ast.parse(text)))


def test_every_yaml_loader_of_ours_is_a_safe_one() -> None:
    loaders = {
        base
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ClassDef) and "Loader" in node.name
        for base in map(_name, node.bases)
        if base is not None and "oader" in base
    }

    assert loaders == {"yaml.SafeLoader"}
