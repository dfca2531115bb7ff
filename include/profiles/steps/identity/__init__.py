"""Parts of `resolve_identities`: pieces of work in other processes, and their decisions."""
