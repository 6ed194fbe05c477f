-- Categories and topics that are not offered any more, but are kept: pushes and campaigns name them.
ALTER TABLE categories ADD COLUMN archived_at timestamptz;
ALTER TABLE topics ADD COLUMN archived_at timestamptz;
