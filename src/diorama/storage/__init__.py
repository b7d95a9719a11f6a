"""File formats without meaning: atomic files, JSON lines, arrays, YAML, reports."""
