const special = /[&<>]/g;
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Text between tags, for the markup languages that know these three entities: SGML as OFX has it, and XML. */
export function markupText(text: string): string {
  return text.replaceAll(special, (character) => entities[character] ?? character);
}
