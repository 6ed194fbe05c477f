-- Where the pushes of a run go: to Apple, or to a stand-in that a setting names. Settings change; the ledger must go on
-- saying which it was. Null for the runs of before.
ALTER TABLE runs ADD COLUMN destination text CHECK (destination IN ('apple', 'simulator'));
