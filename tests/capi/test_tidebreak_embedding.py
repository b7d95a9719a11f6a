"""A C program that embeds the arena."""

import subprocess
from pathlib import Path

from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios.random_battles import random_battle
from tests.capi.build import ROOT, Build

CRATE = ROOT / "crates" / "capi"


def test_a_c_program_makes_every_call(build: Build, tmp_path: Path) -> None:
    source, header = CRATE / "tests" / "c" / "embed_tidebreak.c", CRATE / "include" / "diorama_tidebreak.h"
    package, program = tmp_path / "package.json", tmp_path / "embed"
    package.write_bytes(resolve(random_battle(4)).document)
    options = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{header.parent}"]
    linked: list[str | Path] = [build.library, f"-Wl,-rpath,{build.library.parent}", "-o", program]

    subprocess.run(["cc", *options, source, *linked], check=True)
    subprocess.run([program, package], check=True)

    declared = {line.split("(")[0].split()[-1].lstrip("*") for line in header.read_text().splitlines() if calls(line)}
    called = source.read_text()
    assert len(declared) == 28
    assert [name for name in sorted(declared) if f"{name}(" not in called] == []


def calls(line: str) -> bool:
    """Return whether a line of the header begins to declare a function."""
    return line.startswith(("tb_code tb_", "void tb_", "uint32_t tb_"))
