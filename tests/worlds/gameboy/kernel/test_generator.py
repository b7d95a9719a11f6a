"""The generated text: the same every time, complete, and with the keys of the action codec."""

import ast
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from diorama.worlds.gameboy.cartridge import MbcKind
from diorama.worlds.gameboy.codec import get_action_codec
from diorama.worlds.gameboy.isa.table import Group, instructions
from diorama.worlds.gameboy.kernel.cache import stored_module
from diorama.worlds.gameboy.kernel.generator import generate
from diorama.worlds.gameboy.kernel.instruction_words import BODIES, BODY_OF_GROUP, instruction_words
from diorama.worlds.gameboy.kernel.options import BuildOptions, Layout, Style
from diorama.worlds.gameboy.kernel.parts import words
from diorama.worlds.gameboy.kernel.sources import read_part

DIGEST = (
    "from hashlib import sha256; from diorama.worlds.gameboy.kernel.generator import generate;"
    "from diorama.worlds.gameboy.kernel.options import BuildOptions;"
    "print(sha256(generate(BuildOptions(obs_format='packed2')).encode()).hexdigest())"
)

BUILDS = (
    BuildOptions(mbc_kind=MbcKind.MBC3, has_rtc=True, style=Style.SPECIALISED, watch_count=3),
    BuildOptions(mbc_kind=MbcKind.MBC5, layout=Layout.TILE32, obs_format="shade_half", stepped=True),
)


def test_the_text_does_not_depend_on_the_seed_of_hashes() -> None:
    here = sha256(generate(BuildOptions(obs_format="packed2")).encode()).hexdigest()

    run = subprocess.run(
        [sys.executable, "-c", DIGEST],
        env={**os.environ, "PYTHONHASHSEED": "4321"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert run.stdout.strip() == here


def test_every_build_is_a_module_of_its_own_that_knows_all_its_names() -> None:
    for options in BUILDS:
        tree = ast.parse(generate(options))
        known = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        known |= {target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets}  # type: ignore[attr-defined]
        assert free_names(tree) <= known | {"wp", "int", "min", "max", "range"}, options

    assert len({generate(options) for options in BUILDS}) == len(BUILDS)


def free_names(tree: ast.Module) -> set[str]:
    free: set[str] = set()
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
        bound = {argument.arg for argument in function.args.args}
        bound |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
        free |= {node.id for node in names if isinstance(node.ctx, ast.Load)} - bound
    return free


def test_what_a_build_does_not_need_is_not_in_it() -> None:
    plain = generate(BuildOptions())
    stepped = generate(BuildOptions(stepped=True, mbc_kind=MbcKind.MBC3, has_rtc=True))

    assert "def jump_timer" in plain
    assert "def step_timer" not in plain
    assert "def pass_second" not in plain
    assert "def step_timer" in stepped
    assert "def jump_timer" not in stepped
    assert "def pass_second" in stepped


def test_every_group_has_a_body_and_every_row_its_group() -> None:
    assert set(BODIES) <= set(read_part("groups").functions)
    assert len(BODIES) <= 32
    for row, word in zip(instructions(), instruction_words(), strict=True):
        assert BODIES[word >> words.GROUP & 31] == BODY_OF_GROUP[row.group]
        assert 0 <= word < 2**31


@pytest.mark.parametrize("flags", [0x00, 0xF0])
def test_packed_rows_take_the_time_of_the_table(flags: int) -> None:
    for row, word in zip(instructions(), instruction_words(), strict=True):
        if row.group in (Group.PREFIX, Group.ILLEGAL):
            continue
        holds = {"none": True, "nz": flags == 0, "nc": flags == 0, "z": flags != 0, "c": flags != 0}[row.condition]
        accesses = (word >> words.READS & 3) + (word >> words.WRITES & 3) + (word >> words.POST & 3)
        is_push = word >> words.WRITES & 3 == 2 and word >> words.ADDRESS & 7 == words.STACK
        is_checked_return = row.group is Group.RETURN and row.condition != "none"
        slots = 1 + int(row.is_prefixed) + (word >> words.IMMEDIATES & 3) + int(is_checked_return)
        slots += accesses + int(is_push) if holds else 0
        assert slots == (row.m_cycles_taken if holds else row.m_cycles), row.mnemonic


def test_the_keys_in_the_text_are_those_of_the_codec(tmp_path: Path) -> None:
    text = stored_module(BuildOptions(), tmp_path).read_text()
    functions = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    dpad, buttons = (ast.unparse(functions[name]) for name in ("action_dpad_mask", "action_button_mask"))

    for action, key in ((1, "BUTTON_A"), (2, "BUTTON_B"), (3, "BUTTON_START")):
        assert f"if action == {action}:\n        return {key}" in buttons
    for action, key in ((4, "DPAD_UP"), (5, "DPAD_DOWN"), (6, "DPAD_LEFT"), (7, "DPAD_RIGHT")):
        assert f"if action == {action}:\n        return {key}" in dpad
    assert "action == 0" not in text


def test_the_key_functions_give_the_masks_of_the_codec() -> None:
    codec = get_action_codec()
    tree = ast.parse(generate(BuildOptions()))
    chosen = [node for node in tree.body if getattr(node, "name", "").startswith("action_")]
    for function in chosen:
        function.decorator_list = []  # type: ignore[attr-defined]
    named = [node for node in tree.body if isinstance(node, ast.Assign) and "_" in ast.unparse(node.targets[0])]
    keys = [node for node in named if ast.unparse(node.targets[0]).startswith(("DPAD_", "BUTTON_"))]
    scope: dict[str, Any] = {"wp": type("Warp", (), {"constant": staticmethod(int)})}
    exec(compile(ast.Module([*keys, *chosen], []), "keys", "exec"), scope)

    for action in range(-1, codec.num_actions + 1):
        expected = codec.to_joypad_mask(action) if 0 <= action < codec.num_actions else (0, 0)
        assert (scope["action_dpad_mask"](action), scope["action_button_mask"](action)) == expected


def test_importing_the_kernel_does_not_import_warp() -> None:
    code = (
        "import sys, diorama, diorama.worlds.gameboy.kernel; sys.exit('warp' in sys.modules or 'torch' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
