"""The parts of the learning benchmark."""
