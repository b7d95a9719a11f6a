"""The generated kernel of gameboy."""
