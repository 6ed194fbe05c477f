-- What was saved can always be shown, and what is being sent must not lose its picture: media stay as long as a version
-- of a template names them.
ALTER TABLE template_versions
    ADD COLUMN media_id bigint GENERATED ALWAYS AS (
        -- PostgreSQL reads no further in a text that holds U+0000.
        CASE WHEN strpos(content::text, '\u0000') > 0 THEN NULL
            WHEN content -> 'media' ->> 'id' ~ '^[0-9]{1,18}$' THEN (content -> 'media' ->> 'id')::bigint
        END
    ) STORED,
    -- Media of older versions may be gone already.
    ADD CONSTRAINT template_versions_media_fkey FOREIGN KEY (app_id, media_id) REFERENCES media NOT VALID;
CREATE INDEX template_versions_media ON template_versions (app_id, media_id) WHERE media_id IS NOT NULL;
