"""Runs the command line as `python -m diorama.cli`."""

from diorama.cli.app import main

main()
