"""The functions that turn an action into keys, written from the action codec."""

import ast

from diorama.worlds.gameboy import codec


def key_constants() -> dict[str, int]:
    """Masks of the keys by name."""
    names = [name for name in vars(codec) if name.startswith(("DPAD_", "BUTTON_"))]
    return {name: getattr(codec, name) for name in names}


def key_functions() -> list[ast.FunctionDef]:
    """`action_dpad_mask` and `action_button_mask`."""
    rows = codec.get_action_codec().rows
    return [
        _masks("action_dpad_mask", "DPAD", [row.dpad for row in rows]),
        _masks("action_button_mask", "BUTTON", [row.buttons for row in rows]),
    ]


def _masks(name: str, prefix: str, masks: list[int]) -> ast.FunctionDef:
    """Write the function that gives an action's mask; what no action has, and no action is, presses nothing."""
    names = {value: key for key, value in key_constants().items() if key.startswith(prefix)}
    rows = [f"    if action == {action}:\n        return {names[mask]}\n" for action, mask in enumerate(masks) if mask]
    text = f"@wp.func\ndef {name}(action: int):\n{''.join(rows)}    return 0\n"
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    return function
