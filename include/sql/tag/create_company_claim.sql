-- Purpose: hold the normalised claims of this run. Grain: one row per claim about one company;
--   domain is null where the taxonomy does not know the label, which unknown_label then names.
CREATE TEMPORARY TABLE company_claim (
  claim_no        bigint GENERATED ALWAYS AS IDENTITY,
  linkedin_number text,
  linkedin_slug   text,
  company_domain  text,
  employer_key    text,
  domain          text,
  unknown_label   text,
  weight          double precision NOT NULL
) ON COMMIT DROP
