/** Words that the project avoids, and what to write instead. */
export interface Banned {
  readonly pattern: RegExp;
  readonly instead: string;
}

/**
 * Banned in documents, help pages and messages. The reader's first language is often another one: plain words, active
 * verbs, one term for one thing. A new rule is a line here.
 */
export const banned: readonly Banned[] = [
  { pattern: /(?<!\bthere )\b(?:is|are|was) no (?!longer\b|more\b|less\b)/i, instead: "is not a …, isn't a valid …" },
  { pattern: /\b(?:no|some)body\b/i, instead: "another program, another person, you, or a passive" },
  { pattern: /\b(?:stands?|stood) (?:in|for)\b/i, instead: "is in, means, replaces" },
  { pattern: /\b(?:when|where|if|unless|while) left out\b/i, instead: "default: …, without it" },
  { pattern: /\bthe ones? that\b/i, instead: "the name of the thing" },
  { pattern: /\b(?:lets?|letting) (?:\w+ )?go\b/i, instead: "release, close, drop" },
  { pattern: /\bstir(?:s|red)?\b/i, instead: "change, start, run" },
  { pattern: /\b(?:hears?|heard)\b/i, instead: "receive, learn, see" },
  { pattern: /\b(?:tells?|told|telling) of\b/i, instead: "report, show, list" },
  { pattern: /\b(?:is|are|was|were|be) told\b/i, instead: "is reported, is shown; you see" },
  { pattern: /\banew\b/i, instead: "again, from the start" },
  { pattern: /\bwhoever\b/i, instead: "the person who, every user, another program" },
  { pattern: /\bdirector(?:y|ies)\b/i, instead: "folder" },
];

/** How many of `that`, `which` and `who` a sentence may have. */
export const relativesMax = 2;

/** How many words a sentence of a document or of help may have, and how many of a hundred sentences may have more. */
export const wordsMax = 20;
export const longShare = 0.01;
