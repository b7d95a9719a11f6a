"""Verification of gameboy."""
