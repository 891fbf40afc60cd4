/** The page cache of a sync, in KiB. */
export const writerCacheKib = 16 * 1024;
