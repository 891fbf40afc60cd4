/** Orders that are told when several ids begin alike. */
export const foundMaxRows = 10;
const inIds = /^[0-9a-f-]+$/;

/** What comes behind all ids that begin like that; undefined where no id does. */
export function endOfIds(start: string): string | undefined {
  return inIds.test(start) ? `${start}~` : undefined;
}
