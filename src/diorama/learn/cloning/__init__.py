"""Learning from demonstrations: a scripted baseline plays, the policy imitates it, and the pull fades."""
