"""Programs about cartridges: banks, RAM, clock."""
