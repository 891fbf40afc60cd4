/** How a flag is typed: `startDate` is `--start-date`, without the dashes before it. */
export function flagName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
