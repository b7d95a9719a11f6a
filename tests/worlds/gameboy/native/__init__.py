"""The native core of gameboy."""
