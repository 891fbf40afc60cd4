import { expect, test } from "vitest";
import { keyringStore } from "../../src/profiles/secrets/keyring-store.ts";
import { failureOf, profileWorld } from "../profiles/fixture.ts";

test("an executable reports that it has no keyring, and what to do", async () => {
  const { host } = profileWorld();
  const standalone = { ...host, machine: { ...host.machine, isStandalone: true } };
  const failure = await failureOf(keyringStore(standalone, "shop").read());
  expect(failure).toMatchObject({
    ending: "setup",
    message: "This partner is one executable, which cannot reach the system's keyring.",
    hint: "Use the npm package of partner: npm install --global ./partner-*.tgz. Or keep the secrets in a file: --secret-store file. Or let a program give them: --secret-store command.",
  });
});
