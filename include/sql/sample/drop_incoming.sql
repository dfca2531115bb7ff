DROP TABLE {incoming}
