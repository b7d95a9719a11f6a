"""The state blocks of a live town: what each of them tells, and when that may have changed."""
