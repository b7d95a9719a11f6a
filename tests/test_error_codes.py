"""Every error that the training code raises has a code of its own, so that programs need not read messages."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "diorama"
CHECKED = ("learn", "training", "cli/training")
BASE = "DioramaError"
SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def error_classes() -> frozenset[str]:
    """Names of `DioramaError` and its subclasses, wherever they are defined."""
    bases = {
        node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    found = {BASE}
    while more := {name for name, parents in bases.items() if parents & found} - found:
        found |= more
    return frozenset(found)


ERRORS = error_classes()


def problems_of(source: str) -> list[str]:
    """Return a line for every error of a module that has no code, or one that is not in snake case."""
    tree = ast.parse(source)
    return [f"line {line}: {problem}" for line, problem in sorted({*_uncoded(tree), *_value_errors(tree)})]


def codes_of(source: str) -> set[str]:
    """Return the literal codes that a module gives to its errors."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return {
        code.value for call in calls if isinstance(code := _code(call), ast.Constant) and isinstance(code.value, str)
    }


def _uncoded(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name) and node.exc.id in ERRORS:
            yield node.lineno, f"{node.exc.id} is raised without a message and a code"
        elif isinstance(node, ast.Call) and (name := _raised(node)) is not None:
            code = _code(node)
            if code is None:
                yield node.lineno, f"{name} has no code"
            elif not _is_snake_case(code) and not _is_type_of_a_pydantic_error(code):
                yield node.lineno, f"the code of {name} is {ast.unparse(code)}; it must be a literal in snake case"


def _raised(call: ast.Call) -> str | None:
    """Return the name of the error that a call makes; None for other calls and for `MissingExtra.of`."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id if function.id in ERRORS or function.id == "PydanticCustomError" else None
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id in ERRORS:
        name = f"{function.value.id}.{function.attr}"
        return None if name == "MissingExtra.of" else name
    return None


def _code(call: ast.Call) -> ast.expr | None:
    if isinstance(call.func, ast.Name) and call.func.id == "PydanticCustomError":
        return call.args[0] if call.args else None
    return next((keyword.value for keyword in call.keywords if keyword.arg == "code"), None)


def _is_snake_case(code: ast.expr) -> bool:
    return isinstance(code, ast.Constant) and isinstance(code.value, str) and bool(SNAKE_CASE.fullmatch(code.value))


def _is_type_of_a_pydantic_error(code: ast.expr) -> bool:
    """Whether a code is passed on from an entry of `ValidationError.errors()`, as in `code=first["type"]`."""
    return isinstance(code, ast.Subscript) and isinstance(code.slice, ast.Constant) and code.slice.value == "type"


def _value_errors(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and any(map(_is_validator, function.decorator_list)):
            for node in ast.walk(function):
                if isinstance(node, ast.Raise) and node.exc is not None and "ValueError" in ast.unparse(node.exc):
                    yield node.lineno, "a validator raises ValueError; it must be a PydanticCustomError with a code"


def _is_validator(decorator: ast.expr) -> bool:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(function, ast.Name) and function.id.endswith("_validator")


def modules() -> list[Path]:
    return sorted(path for package in CHECKED for path in (SOURCE / package).rglob("*.py"))


def test_every_error_of_the_training_code_has_a_code() -> None:
    problems = [
        f"{path.relative_to(SOURCE)}, {problem}"
        for path in modules()
        for problem in problems_of(path.read_text(encoding="utf-8"))
    ]

    assert problems == []


def test_every_code_of_the_package_training_is_asserted_by_one_of_its_tests() -> None:
    raised = {
        code for path in (SOURCE / "training").rglob("*.py") for code in codes_of(path.read_text(encoding="utf-8"))
    }
    tests = (Path(__file__).parent / "training").rglob("test_*.py")
    asserted = {
        node.value
        for path in tests
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
    }

    assert sorted(raised - asserted) == []


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        pytest.param('raise ConfigError("x")', "ConfigError has no code", id="no-code"),
        pytest.param("raise ConfigError", "ConfigError is raised without a message and a code", id="only-the-class"),
        pytest.param("raise TrainingDiverged('x', update=3)", "TrainingDiverged has no code", id="subclass"),
        pytest.param("raise UnknownName.among('bot', name, known)", "UnknownName.among has no code", id="class-method"),
        pytest.param("error = ConfigError('x')\nraise error", "ConfigError has no code", id="made-before-it-is-raised"),
        pytest.param(
            "raise ConfigError('x', code='BadSteps')",
            "the code of ConfigError is 'BadSteps'; it must be a literal in snake case",
            id="not-snake-case",
        ),
        pytest.param(
            "raise ConfigError('x', code=code)",
            "the code of ConfigError is code; it must be a literal in snake case",
            id="not-literal",
        ),
        pytest.param(
            "raise PydanticCustomError('Bad steps', 'x')",
            "the code of PydanticCustomError is 'Bad steps'; it must be a literal in snake case",
            id="pydantic",
        ),
        pytest.param(
            "@model_validator(mode='after')\ndef check(self):\n    raise ValueError('x')",
            "a validator raises ValueError; it must be a PydanticCustomError with a code",
            id="value-error-of-a-validator",
        ),
    ],
)
def test_the_check_finds_an_error_without_a_code(source: str, problem: str) -> None:
    (found,) = problems_of(source)

    assert found.partition(": ")[2] == problem


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("raise ConfigError('x', code='steps_missing', steps=0)", id="literal"),
        pytest.param("raise UnknownName.among('bot', name, known, code='unknown_bot')", id="class-method"),
        pytest.param("raise MissingExtra.of('onnx', needed_for='exports')", id="missing-extra"),
        pytest.param("raise ConfigError('x', code=first['type'], **first['ctx'])", id="passed-on-from-pydantic"),
        pytest.param("raise PydanticCustomError('steps_missing', 'x')", id="pydantic"),
        pytest.param("try:\n    run()\nexcept ConfigError as error:\n    raise", id="raised-again"),
        pytest.param("def check(self):\n    raise ValueError('x')", id="value-error-of-a-function"),
    ],
)
def test_the_check_accepts_errors_with_codes(source: str) -> None:
    assert problems_of(source) == []


def test_errors_of_other_packages_count_as_errors() -> None:
    assert {"ConfigError", "CheckpointMismatch", "TrainingDiverged", "CloneRefused"} <= ERRORS
    assert "ValueError" not in ERRORS
