TRUNCATE {table}
