/** What YAML would read as something other than the text that it is, or not at all. */
const plain = /^[A-Za-z/][\w /.,()-]*$/;
const words = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** Longer lists have a line for each item. */
const lineMaxChars = 80;

/** A document as YAML: two spaces a level, texts quoted where they have to be. */
export function yamlOf(value: unknown, indent = ""): string {
  if (Array.isArray(value)) return listOf(value, indent);
  if (typeof value === "object" && value !== null) return mapOf(value, indent);
  return `${scalarOf(value)}\n`;
}

function mapOf(value: object, indent: string): string {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return entries.map(([name, member]) => `${indent}${scalarOf(name)}:${memberOf(member, `${indent}  `)}`).join("");
}

function listOf(items: readonly unknown[], indent: string): string {
  return items.map((item) => `${indent}- ${yamlOf(item, `${indent}  `).trimStart()}`).join("");
}

function memberOf(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return ` ${scalarOf(value)}\n`;
  if (Object.keys(value).length === 0) return Array.isArray(value) ? " []\n" : " {}\n";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null)) {
    const line = `[${value.map((item) => scalarOf(item)).join(", ")}]`;
    if (indent.length + line.length < lineMaxChars) return ` ${line}\n`;
  }
  return `\n${yamlOf(value, indent)}`;
}

function scalarOf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const isPlain = plain.test(value) && !words.test(value) && !value.endsWith(" ") && !value.includes(", ");
  return isPlain ? value : JSON.stringify(value);
}
