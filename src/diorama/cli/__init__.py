"""One typer app, `diorama`, with a file per command.

Command modules import what is heavy inside their functions, so that help and shell completion answer at once.
"""
