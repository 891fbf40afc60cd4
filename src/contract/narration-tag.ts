const tag = /\[([^[\]]+)\]$/;

/** The reference that a transfer's narration ends in; empty where there is none. */
export function tagOf(narration: string): string {
  return tag.exec(narration)?.[1] ?? "";
}
