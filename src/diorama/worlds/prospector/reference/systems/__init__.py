"""The rules, one per file: what each action does, and what happens in every step whatever is done."""
