/** How long and how large a request of ours may be. A person changes the first two: `--timeout` and `--retries`. */
export const defaultTimeoutMs = 30_000;
/** A request that moves money is waited for longer: an answer that is given up becomes an unknown outcome. */
export const defaultMoneyTimeoutMs = 90_000;
export const defaultRetries = 2;
/** What an order waits for at most to show names and balances, all attempts together. */
export const lookMaxMs = 3_000;

/** Waits between attempts: a random part of a ceiling that doubles. */
export const backoffFirstMs = 500;
export const backoffMaxMs = 8_000;

/** A `Retry-After` beyond this is not waited for: the person is told instead. */
export const retryAfterMaxMs = 60_000;

export const connectTimeoutMs = 10_000;
export const headersTimeoutMs = 60_000;
export const bodyTimeoutMs = 60_000;

/** An answer that is no list: balances, wallets, institutions, errors. */
export const documentMaxBytes = 16 * 1_048_576;
/** A statement: about four million entries. */
export const statementMaxBytes = 1024 * 1_048_576;

/** The answer to a request that moves money. */
export const moneyAnswerMaxBytes = 1_048_576;

/** What of an answer stays in memory; the rest goes to a temporary file until it is whole. */
export const answerMemoryMaxBytes = 4 * 1_048_576;
