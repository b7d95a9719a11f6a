"""Following: what a running run does reaches open pages, however many there are, by one look at its files."""
