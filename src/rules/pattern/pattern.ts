import { PatternError, PatternReader } from "./reader.ts";
import { PatternProgram } from "./program.ts";

/** What a pattern may be made of, for people. */
export const patternAdvice =
  "A pattern has letters, digits, . [a-z] [^a-z] \\d \\w \\s \\b ^ $ ( ) | * + ? {2,5}, and nothing that looks ahead, looks behind or refers back. Case does not count.";

/** True for a text in which the pattern is found. Takes linear time; case does not count. */
export type Pattern = (text: string) => boolean;

/**
 * @param source without the slashes
 * @throws {PatternError}
 */
export function readPattern(source: string): Pattern {
  const program = new PatternProgram(new PatternReader(source).read());
  return (text) => program.isFoundIn(text.toLowerCase());
}

export { PatternError };
