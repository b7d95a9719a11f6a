"""Whatever of others is shipped is told, with its licence."""

import json
from pathlib import Path
from typing import Any

import pytest
from write_notices import (
    BUNDLED,
    CLIENT,
    Incomplete,
    bundled_packages,
    cargo_metadata,
    collect,
    linked_crates,
    main,
    standard_text,
    write,
)

from tests.packaging.environments import ROOT


def npm_package(modules: Path, name: str, files: dict[str, str] | None = None, **told: Any) -> None:
    folder = modules / name
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"name": name, "version": "1.2.3", **told}))
    for file, text in (files or {}).items():
        (folder / file).write_text(text)


def client_of(tmp_path: Path, *names: str) -> Path:
    client = tmp_path / "client"
    client.mkdir()
    (client / BUNDLED).write_text(json.dumps(names))
    return client


def crate(
    name: str, folder: Path, *, kind: str = "lib", source: str | None = "registry+x", **told: Any
) -> dict[str, Any]:
    (folder / name).mkdir()
    (folder / name / "LICENSE").write_text(f"text of {name}")
    return {
        "id": name,
        "name": name,
        "version": "1.0.0",
        "license": "MIT",
        "authors": [],
        "source": source,
        "manifest_path": str(folder / name / "Cargo.toml"),
        "targets": [{"kind": [kind]}],
        **told,
    }


def link(name: str, kind: str | None = None) -> dict[str, Any]:
    return {"pkg": name, "dep_kinds": [{"kind": kind}]}


# Slow, because it asks for whatever versions of crates there are today.
@pytest.mark.slow
def test_the_built_client_and_core_are_told_completely() -> None:
    told = {(package.kind, package.name): package for package in collect(CLIENT)}

    wanted = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert {name for name in wanted if ("npm", name) not in told} == set()
    assert {name: told["npm", name].version for name in wanted} == wanted
    assert {("crate", name) for name in ("numpy", "pyo3", "rayon", "serde_json", "sha2")} <= told.keys()
    assert (
        not {("crate", name) for name in ("criterion", "proptest", "syn", "serde_derive", "diorama-kernel")}
        & told.keys()
    )
    assert [str(package) for package in told.values() if len(package.text) < 200] == []
    assert "Eigen" in told["npm", "onnxruntime-web"].text
    assert "SIL Open Font License" in told["npm", "@fontsource/inter"].text.replace(
        "SIL OPEN FONT LICENSE", "SIL Open Font License"
    )


def test_crates_are_those_that_are_linked(tmp_path: Path) -> None:
    packages = [
        crate("core", tmp_path, source=None),
        crate("used", tmp_path),
        crate("deep", tmp_path),
        crate("macros", tmp_path, kind="proc-macro"),
        crate("parser", tmp_path),
        crate("builder", tmp_path),
        crate("bench", tmp_path),
    ]
    nodes = [
        {"id": "core", "deps": [link("used"), link("macros"), link("builder", "build"), link("bench", "dev")]},
        {"id": "used", "deps": [link("deep")]},
        {"id": "macros", "deps": [link("parser")]},
        *({"id": name, "deps": []} for name in ("deep", "parser", "builder", "bench")),
    ]

    found = linked_crates({"packages": packages, "resolve": {"nodes": nodes}}, "core")

    assert sorted((package.name, package.text) for package in found) == [
        ("deep", "text of deep"),
        ("used", "text of used"),
    ]


def test_every_text_of_a_package_is_told(tmp_path: Path) -> None:
    npm_package(tmp_path, "@a/b", {"LICENSE": "mit", "NOTICE.md": "thanks", "README.md": "no"}, license="MIT")

    [package] = bundled_packages(client_of(tmp_path, "@a/b"), tmp_path)

    assert (str(package), package.license, package.text) == ("npm @a/b 1.2.3", "MIT", "mit\n\nthanks")
    assert "thanks" in write([package])


@pytest.mark.parametrize(
    ("author", "holder"), [("Ann", "Ann"), ({"name": "Ann", "url": "x"}, "Ann"), (None, "the authors of quiet")]
)
def test_a_package_without_a_text_gets_the_one_of_its_licence(author: Any, holder: str, tmp_path: Path) -> None:
    npm_package(tmp_path, "quiet", license="ISC", **({} if author is None else {"author": author}))

    [package] = bundled_packages(client_of(tmp_path, "quiet"), tmp_path)

    assert package.text.startswith(f"ISC License\n\nCopyright (c) {holder}\n")


@pytest.mark.parametrize(
    ("told", "words"),
    [
        pytest.param({}, "names no licence", id="no-licence"),
        pytest.param({"license": "Odd-1.0"}, "Odd-1.0 and brings no text", id="unknown"),
        pytest.param({"license": "MIT AND Odd-1.0"}, "brings no text", id="half-known"),
    ],
)
def test_a_package_of_which_too_little_is_known_is_refused(told: dict[str, Any], words: str, tmp_path: Path) -> None:
    npm_package(tmp_path, "odd", **told)

    with pytest.raises(Incomplete, match=words):
        bundled_packages(client_of(tmp_path, "odd"), tmp_path)


def test_one_of_two_licences_suffices() -> None:
    assert standard_text("Odd-1.0 OR MIT", "Ann", "pair").startswith("MIT License")


def test_a_client_that_does_not_say_what_it_is_made_of_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 1
    assert "build the client first" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_cargo_is_asked_about_this_kind_of_machine() -> None:
    names = {package.name for package in linked_crates(cargo_metadata())}

    assert "rayon-core" in names
    assert not {name for name in names if name.startswith(("windows", "winapi"))}
