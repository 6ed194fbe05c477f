-- A limit on the installations that an app's publishable keys register.

ALTER TABLE apps ADD COLUMN new_installations_per_minute integer CHECK (new_installations_per_minute > 0);

COMMENT ON COLUMN apps.new_installations_per_minute IS
    'How many new installations publishable keys may register in a minute, per process; null: the default.';
