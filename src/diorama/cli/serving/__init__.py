"""`diorama serve`: shows runs and replays in a browser, and lets people play."""
