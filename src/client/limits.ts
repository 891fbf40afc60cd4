/** Limits on the time and the size of our requests. `--timeout` and `--retries` replace the three defaults. */
export const defaultTimeoutMs = 30_000;
/** Longer for a request that moves money: where its answer is given up, the outcome is unknown. */
export const defaultMoneyTimeoutMs = 90_000;
export const defaultRetries = 2;
/** The longest that an order waits for names and balances to show, all attempts together. */
export const lookMaxMs = 3_000;

/** The wait between attempts is a random part of a ceiling, which doubles each time. */
export const backoffFirstMs = 500;
export const backoffMaxMs = 8_000;

/** A longer `Retry-After` is not waited for; the person is asked to try later. */
export const retryAfterMaxMs = 60_000;

export const connectTimeoutMs = 10_000;
export const headersTimeoutMs = 60_000;
export const bodyTimeoutMs = 60_000;

/** An answer that isn't a list: balances, wallets, institutions, errors. */
export const documentMaxBytes = 16 * 1_048_576;
/** A statement: about four million entries. */
export const statementMaxBytes = 1024 * 1_048_576;

/** The answer to a request that moves money. */
export const moneyAnswerMaxBytes = 1_048_576;

/** How much of an answer stays in memory; the rest goes to a temporary file until it is whole. */
export const answerMemoryMaxBytes = 4 * 1_048_576;
