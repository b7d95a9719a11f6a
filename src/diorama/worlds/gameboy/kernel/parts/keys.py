"""Keys of an action; the generator writes both functions from the action codec."""


def action_dpad_mask(action: int) -> int:
    """D-pad mask of an action."""
    raise NotImplementedError


def action_button_mask(action: int) -> int:
    """Button mask of an action."""
    raise NotImplementedError
