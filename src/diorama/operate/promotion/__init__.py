"""Which policy a live world runs, which one may follow it, and how to get back."""
