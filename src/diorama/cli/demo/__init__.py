"""`diorama demo`: a tour through the worlds, in the terminal or in the browser."""
