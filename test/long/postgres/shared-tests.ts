/** Tests of the shared journal, of four eyes and of the chain, for whichever server is the usual one. */
export async function sharedTests(): Promise<void> {
  await import("../../commands/four-eyes.test.ts");
  await import("../../commands/four-eyes-attacks.test.ts");
  await import("../../commands/four-eyes-final.test.ts");
  await import("../../commands/four-eyes-groups.test.ts");
  await import("../../commands/four-eyes-look.test.ts");
  await import("../../commands/four-eyes-redact.test.ts");
  await import("../../commands/four-eyes-redact-twins.test.ts");
  await import("../../commands/four-eyes-strangers.test.ts");
  await import("../../commands/four-eyes-upgrade.test.ts");
  await import("../../commands/approvals-delegate.test.ts");
  await import("../../commands/approvals-levels.test.ts");
  await import("../../commands/approvals-limits.test.ts");
  await import("../../commands/approvals-refused.test.ts");
  await import("../../commands/approvals-set.test.ts");
  await import("../../commands/signed-approvals.test.ts");
  await import("../../commands/one-chain.test.ts");
  await import("../../commands/one-chain-rules.test.ts");
  await import("../../commands/one-chain-words.test.ts");
  await import("../../commands/batch-wait.test.ts");
  await import("../../commands/journal-archive-shared.test.ts");
  await import("../../commands/journal-age-shared.test.ts");
  await import("../../commands/journal-shared.test.ts");
  await import("../../commands/ledger-shared.test.ts");
  await import("../../doctor/guards.test.ts");
  await import("../../journal/shared.test.ts");
  await import("../../journal/shared-copy.test.ts");
  await import("../../journal/shared-lost.test.ts");
}
