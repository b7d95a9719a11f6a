"""Goal templates: a picture to be reached, how it is stored, captured and matched."""
