const tag = /\[([^[\]]+)\]\s*$/;
const anyTag = /\[([^[\]]+)\]/g;

/** The tag at the end of a transfer's narration, in which we send its reference: `rent [R-1]`. Empty without one. */
export function tagOf(narration: string): string {
  return tag.exec(narration)?.[1] ?? "";
}

/** Everything in brackets: banks add words behind a narration. */
export function tagsIn(narration: string): readonly string[] {
  return [...narration.matchAll(anyTag)].map(([, text = ""]) => text);
}
