-- The texts of topics in more languages than the app's default.

ALTER TABLE topics
    ADD COLUMN translations jsonb NOT NULL DEFAULT '{}',
    ADD CONSTRAINT topics_translations_are_an_object
        CHECK (jsonb_typeof(translations) = 'object' AND pg_column_size(translations) <= 262144);

COMMENT ON COLUMN topics.translations IS
    'Names and descriptions by language: {"de": {"name": "Angebote", "description": null}}.';
