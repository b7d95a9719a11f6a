"""What a tick is worth: objectives, the end of the battle, its score."""
