import { command } from "../../cli/command.ts";
import { encodeJson } from "../../contract/wire.ts";
import { emptyDraft } from "../../remittance/draft.ts";

export default command({
  summary: "Print an empty remittance to fill in, for remit --from-file.",
  examples: ["remit template --save draft.json --output json", "remit template > draft.json"],
  args: {},
  flags: {},
  exits: [],
  run: () => Promise.resolve({ shape: "text", text: `${encodeJson(emptyDraft(), { pretty: true })}\n` }),
});
