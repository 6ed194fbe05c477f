-- While recipients wait because of an answer of Apple's, the run and its deliveries say which.

ALTER TABLE batches ADD COLUMN last_answer text, ADD COLUMN last_answered_at timestamptz;
ALTER TABLE batches ADD CONSTRAINT batches_date_the_last_answer
    CHECK ((last_answer IS NULL) = (last_answered_at IS NULL));
COMMENT ON COLUMN batches.last_answer IS
    'The reason in Apple''s last answer for which recipients wait, like TooManyProviderTokenUpdates; null: none waits.';
COMMENT ON COLUMN batches.last_answered_at IS 'When Apple gave that answer.';
