"""Cartridges made by the project's own assembler: micro-ROMs that test one thing each, and three small games."""
