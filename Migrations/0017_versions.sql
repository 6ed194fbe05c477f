-- Versions of the resources that had none, so that each can be changed with If-Match.

ALTER TABLE topics ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE runs ADD COLUMN version integer NOT NULL DEFAULT 1;

COMMENT ON COLUMN runs.version IS 'Raised when a person or the dispatcher pauses, resumes, cancels or changes the run.';
