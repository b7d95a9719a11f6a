"""From an encounter to a battle package, and from a battle result back into the campaign."""
