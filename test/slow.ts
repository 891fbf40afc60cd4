/**
 * Tests that take more than half of the time and are a seventh of all, by the reason. `npm test` leaves them to
 * `npm run test:slow`, and the CI runs both.
 */
export const slowTests: readonly string[] = [
  // Several hosts share a database server.
  "test/**/*shared*.test.ts",
  "test/commands/{approvals,four-eyes,one-chain,signed-approvals}*.test.ts",
  "test/commands/{failover,journal-age,journal-redact,journal-server,pgbouncer,postgres-versions}*.test.ts",
  // Runs are killed, disks fail, connections break.
  "test/movements/*kills.test.ts",
  "test/movements/{answer-sentences,bit-flips,broken-answers,interruption,io-errors}.test.ts",
  "test/movements/{journal-failures,processes,service-faults,signals,slips,slow-looks}.test.ts",
  "test/commands/failed-syncs.test.ts",
  "test/commands/simulator-background.test.ts",
  // Shells, terminals, keyrings and spreadsheets take part.
  "test/completion/shells.test.ts",
  "test/profiles/secret-keyring.test.ts",
  "test/statements/xlsx.test.ts",
  "test/transcripts/**/*.test.ts",
  // Long stories, long histories, every reader and every page.
  "test/simulation/**/*.test.ts",
  "test/hostile/**/*.test.ts",
  "test/docs/blocks.test.ts",
  "test/ledger/{half-year,undated-stories}.test.ts",
  "test/commands/{exports-cut-short,find-*index,report-second-debit}.test.ts",
  "test/commands/{ledger-busy-day,ledger-dayless*,ledger-long-history}.test.ts",
];
