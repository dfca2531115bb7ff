-- Purpose: the domains of a person, strongest first, with the employers that gave them. Inputs: candidate_id.
-- Grain: one domain.
SELECT domain, months, weight, employers FROM synthesis.domain_tag
WHERE candidate_id = %(candidate_id)s
ORDER BY weight DESC, domain
