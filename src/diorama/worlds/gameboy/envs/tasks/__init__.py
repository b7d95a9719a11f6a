"""Tasks: rules over watched bytes, written down in YAML."""
