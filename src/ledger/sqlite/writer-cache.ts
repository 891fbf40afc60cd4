/** Pages that a sync holds. */
export const writerCacheKib = 16 * 1024;
