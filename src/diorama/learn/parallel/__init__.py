"""Training one policy in several processes, each with copies of its own."""
