/** Enough slots that two payments rarely wait for each other by chance. */
export const lockSlots = 4096;

/**
 * A slot beyond those of names. Whoever numbers history locks it; others wait for it in the order in which they came.
 */
export const turnSlot = 10_000;

/**
 * Locks by name are locks of rows, which only roles with write rights can take: so a stranger can't delay a payment. An
 * advisory lock can be taken by every role of the database.
 */
export const lockSlotsSql = `CREATE TABLE partner.lock_slots (slot integer PRIMARY KEY, held boolean NOT NULL);
INSERT INTO partner.lock_slots (slot, held) SELECT slot, false FROM generate_series(0, ${lockSlots - 1}) AS slot;
CREATE TRIGGER lock_slots_stay BEFORE DELETE OR TRUNCATE ON partner.lock_slots
  EXECUTE FUNCTION partner.refuse('a lock stays where it is');`;

export const turnSql = `INSERT INTO partner.lock_slots (slot, held) VALUES (${turnSlot}, false);`;
