"""Every parser, fed with what it was not made for.

The rule: any input gives a value or one clear error of our own, never another exception, a hang, or memory without
bounds. A few examples are in the ordinary suite; `DIORAMA_FUZZ=2000 pytest tests/fuzz` takes so many of each.
"""
