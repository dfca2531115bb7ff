"""Parts of `resolve_identities`: changed rows, pieces of work and their decisions."""
