"""`diorama smoke`: checks a deployment from the outside."""
