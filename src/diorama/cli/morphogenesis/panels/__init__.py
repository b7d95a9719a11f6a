"""The terminal dashboard of growing hosts: panels drawn from pictures of a run."""
