"""The operator's console: who may ask for what, in which order it happens, and how it is answered and audited."""
