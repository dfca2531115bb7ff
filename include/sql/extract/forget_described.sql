-- Purpose: drop the identity facts that an earlier extract of this source left and no resolve took, so that a row has one
-- set of facts at the most; resolution reads those records itself. Inputs: source, which part of its keys. Grain: one source row.
DELETE FROM synthesis.described_row WHERE source = %(source)s AND {in_part}
