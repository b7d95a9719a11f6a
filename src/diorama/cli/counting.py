"""Numbers of things, in words."""


def counted(number: int, thing: str, things: str = "") -> str:
    """Return `1 case` or `1,200 cases`; a plural that is no `s` is given."""
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"
