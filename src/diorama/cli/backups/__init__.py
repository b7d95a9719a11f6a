"""Backups, and which runs stay."""
