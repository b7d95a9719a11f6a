"""What happens inside a hub: decisions, legitimacy, crises, changes of government."""
