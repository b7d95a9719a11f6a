"""`diorama townlet`: towns on the command line."""
