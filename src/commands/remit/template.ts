import { command } from "../../app/command.ts";
import { encodeJson } from "../../contract/wire.ts";
import { emptyDraft } from "../../remittance/draft.ts";

export default command({
  summary: "Print an empty remittance to fill in, for remit --from-file.",
  description:
    "It holds every field of the specification in its order. Amounts are numbers without quotes. An empty field is asked for, filled in if it is always the same, or dropped if it is optional.",
  examples: ["remit template > draft.json", "remit template --save draft.json"],
  args: {},
  flags: {},
  text: { is: "a JSON file to fill in", formats: ["json", "ndjson"], flags: [] },
  exits: [],
  run: (_input, { format }) =>
    Promise.resolve({ shape: "text", text: `${encodeJson(emptyDraft(), { pretty: format !== "ndjson" })}\n` }),
});
