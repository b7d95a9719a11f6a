"""`diorama tidebreak`: battles from files, and what differs between two of them."""
