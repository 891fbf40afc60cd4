/** So many names never share a slot by chance that two payments would often wait for each other. */
export const lockSlots = 4096;

/**
 * What is locked by its name is a row: only who may write here can hold one, and a stranger's lock delays no payment. A
 * lock that is only a number can be held by every role of the database.
 */
export const lockSlotsSql = `CREATE TABLE partner.lock_slots (slot integer PRIMARY KEY, held boolean NOT NULL);
INSERT INTO partner.lock_slots (slot, held) SELECT slot, false FROM generate_series(0, ${lockSlots - 1}) AS slot;
CREATE TRIGGER lock_slots_stay BEFORE DELETE OR TRUNCATE ON partner.lock_slots
  EXECUTE FUNCTION partner.refuse('a lock stays where it is');`;
