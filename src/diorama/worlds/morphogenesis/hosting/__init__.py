"""The network that grows: hosts, slots, seeds and how they blend."""
