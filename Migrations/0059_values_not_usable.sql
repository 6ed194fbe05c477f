-- A value can be there and still not fit its placeholder: a text for a number, a list for a text. Until now that was
-- "value missing", which sends people to look for a value that they have.
INSERT INTO outcome_codes (code, kind, reason) VALUES
    (19, 'suppressed', 'value not usable');
