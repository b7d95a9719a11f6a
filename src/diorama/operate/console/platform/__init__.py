"""The commands every live world has, whatever its own are."""
