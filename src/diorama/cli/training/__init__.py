"""`diorama train`: its flags, and the ways a run is started."""
