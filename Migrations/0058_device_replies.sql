-- A person's replies are erased without a look at every partition of events.

CREATE TABLE device_replies (
    app_id bigint NOT NULL,
    device_id bigint NOT NULL,
    message_number bigint NOT NULL,
    PRIMARY KEY (app_id, device_id, message_number)
);

COMMENT ON TABLE device_replies IS 'The pushes that a device replied to with a text, which may have been erased since.';

INSERT INTO device_replies (app_id, device_id, message_number)
SELECT DISTINCT app_id, device_id, message_number FROM events WHERE text IS NOT NULL;

DROP INDEX events_replies;
