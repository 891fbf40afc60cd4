import { command } from "../../cli/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { anyText, optionalPositional } from "../../cli/input.ts";
import { accountBalance } from "../../contract/accounts.ts";
import { listWallets } from "../../contract/wallets.ts";
import { Failure } from "../../values/failure.ts";

/** An account that nobody has: the answer 404 shows that the token was accepted. Spec 7.2. */
const nobodysAccount = "0";

export default command({
  summary: "Try a profile's credentials: one harmless read for each group that it has.",
  examples: ["profile check", "profile check shop"],
  args: { name: optionalPositional({ summary: "The profile; the one in use when left out.", read: anyText }) },
  flags: {},
  exits: readingEndsIn,
  async run({ args }, session) {
    session.useProfile(args.name);
    const account = await session.account();
    const hasGroupB = await account.has("accessToken");
    const hasGroupA = !hasGroupB || (await account.has("secretKey"));
    const wallets = hasGroupA ? await session.service.read(listWallets, {}) : undefined;
    if (hasGroupB) await session.service.read(accountBalance, { accountNo: nobodysAccount }).catch(onlyRefused);
    return {
      shape: "rows",
      columns: [
        { name: "group", kind: "id" },
        { name: "credentials", kind: "text" },
        { name: "result", kind: "text" },
      ],
      rows: [
        {
          group: "A",
          credentials: "account id and secret key",
          result:
            wallets === undefined
              ? "not set up"
              : `accepted, ${wallets.length} ${wallets.length === 1 ? "wallet" : "wallets"}`,
        },
        { group: "B", credentials: "access token", result: hasGroupB ? "accepted" : "not set up" },
      ],
      whenEmpty: "There is nothing to check.",
    };
  },
});

/** A no to the account is a yes to the token; what concerns the token or the network is not. */
function onlyRefused(error: unknown): void {
  if (!(error instanceof Failure && error.ending === "refused")) throw error;
}
