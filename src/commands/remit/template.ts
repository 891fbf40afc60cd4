import { command } from "../../app/command.ts";
import { encodeJson } from "../../contract/wire.ts";
import { emptyDraft } from "../../remittance/draft.ts";

export default command({
  summary: "Print an empty remittance to fill in, for remit --from-file.",
  description:
    "It holds every field of the specification in its order. Amounts are numbers without quotes; what is left empty is asked for, filled in where it is always the same, or left out where it is optional.",
  examples: ["remit template > draft.json", "remit template --save draft.json"],
  args: {},
  flags: {},
  text: { is: "a JSON file to fill in", formats: ["json", "ndjson"], flags: [] },
  exits: [],
  run: (_input, { format }) =>
    Promise.resolve({ shape: "text", text: `${encodeJson(emptyDraft(), { pretty: format !== "ndjson" })}\n` }),
});
