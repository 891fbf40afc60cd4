const tag = /\[([^[\]]+)\]$/;

/** The tag at the end of a transfer's narration; empty where there is none. */
export function tagOf(narration: string): string {
  return tag.exec(narration)?.[1] ?? "";
}
