const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True for a name or address of this machine, as the `hostname` of a URL spells it. */
export function isLoopback(hostname: string): boolean {
  return loopbackName.test(hostname);
}
