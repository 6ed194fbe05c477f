-- Somebody can opt out of all campaigns, which no topic can say: campaigns without a topic go to everybody. The opt-out is
-- the key * beside those of topics, so it is kept, ordered and imported as they are.
-- Its code comes from behind those that reasons of Apple can get.
INSERT INTO outcome_codes (code, kind, reason) VALUES
    (120, 'suppressed', 'opted out of all campaigns');

COMMENT ON COLUMN devices.opt_outs IS
    'What the installation or its user opted out of: keys of topics, and * for all campaigns.';
COMMENT ON COLUMN bi.devices_current.opt_outs IS 'Keys of topics that were opted out of; * is the opt-out from all campaigns.';
COMMENT ON COLUMN bi.people.opt_outs IS 'Keys of topics that were opted out of; * is the opt-out from all campaigns.';

-- A registration replaces what the app states, so the attributes of a file would last until the second start of the app.
ALTER TABLE devices ADD COLUMN inherited_attributes jsonb;
COMMENT ON COLUMN devices.inherited_attributes IS
    'Attributes from a file that the app has never stated: a registration that leaves them out keeps them. Null: none.';
