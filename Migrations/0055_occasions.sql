-- Transactional pushes report tokens as well.

COMMENT ON COLUMN suspect_tokens.run_id IS
    'The run in which the token was rejected; or an hour of transactional pushes: minus the hours since 1970.';
