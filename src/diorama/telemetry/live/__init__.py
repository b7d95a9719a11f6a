"""What a live world tells: snapshots, diffs, events and narrations, and the ways they leave the process."""
