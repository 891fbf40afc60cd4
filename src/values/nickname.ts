const form = /^[a-z][a-z0-9-]{0,31}$/;
const formInWords = "must be 1 to 32 lower-case letters, digits and dashes, and begin with a letter";

/**
 * True for a valid nickname of an account. A word that looks like a number isn't valid, so that no nickname hides an
 * account.
 */
export function isNickname(text: string): boolean {
  return nicknameProblem(text) === undefined;
}

/** Why a word isn't a valid nickname, in words that follow it; undefined where it is valid. */
export function nicknameProblem(text: string): string | undefined {
  if (!form.test(text)) return formInWords;
  const digits = text.replaceAll(/\D/g, "").length;
  const letters = text.replaceAll(/[^a-z]/g, "").length;
  return digits >= letters ? "looks like an account number: use more letters than digits" : undefined;
}
