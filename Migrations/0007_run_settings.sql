-- What a payload depends on besides its content stays as it was when the run began: the app's settings may change while
-- it is sent. Null for the runs of before.
ALTER TABLE runs
    ADD COLUMN message_id_key text,
    ADD COLUMN default_locale text,
    ADD COLUMN default_time_zone text,
    ADD COLUMN attachment_url_key text,
    ADD COLUMN attachment_type_key text;
