"""Programs about the picture and its timing."""
