"""`diorama eval`: contenders on equal episodes, and what it prints of them."""
