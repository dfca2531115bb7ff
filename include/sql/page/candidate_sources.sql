-- Purpose: the source rows of a person side by side, newest first. Inputs: candidate_id, rows. Grain: one source row.
SELECT row_id, source, source_key, rule, evidence, own_id, assigned_at, observed_at, extracted_at, full_name, headline,
       location, country, industry, years_experience, summary_characters, positions, education, skills, certifications,
       languages
FROM synthesis.page_row
WHERE candidate_id = %(candidate_id)s
ORDER BY observed_at DESC NULLS LAST, source, source_key
LIMIT %(rows)s
