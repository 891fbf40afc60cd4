// Node 22 and later have JSON.rawJSON and JSON.isRawJSON; TypeScript's library does not name them yet.
interface JSON {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}
