-- For the foreign key: whoever deletes a batch asks which others it was moved to, and an app's end deletes all of its
-- batches. Few batches come from another one, and only these are in the index.
CREATE INDEX batches_moved ON batches (moved_from) WHERE moved_from IS NOT NULL;
