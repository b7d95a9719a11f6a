"""Snapshots of live worlds: documents, the rules by which they load, migrations, and where they lie."""
