/** How a flag is typed, without its leading dashes: `start-date` for `startDate`. */
export function flagName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
