"""What the parts of Diorama say to each other; imports nothing else of ours."""
