"""What other libraries reach on the same machine in the same run: those that step, and those that train."""
