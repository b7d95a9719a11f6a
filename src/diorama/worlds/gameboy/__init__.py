"""Gameboy: thousands of monochrome Game Boys at once, exact on every device."""
