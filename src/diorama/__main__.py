"""Runs the command line as `python -m diorama`."""

from diorama.cli.app import main

main()
