"""Clean values from dirty ones: text, dates, names, contacts, keys, skills. Pure; opens no file."""
