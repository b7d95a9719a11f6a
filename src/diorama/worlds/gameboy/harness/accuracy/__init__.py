"""Public test ROMs, wherever their owner keeps them: which suite each belongs to, how it is run, how it is judged."""
