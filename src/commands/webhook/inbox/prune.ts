import { command } from "../../../app/command.ts";
import { requiredOption } from "../../../cli/line/input.ts";
import { pruneInbox } from "../../../app/webhooks/inbox.ts";
import { parseDuration } from "../../../values/time/duration.ts";
import { Numeral } from "../../../values/json.ts";

const dayMs = 86_400_000;
const olderThanMaxMs = 36_500 * dayMs;

export default command({
  summary: "Remove events that were received long ago.",
  description: "What still waits to be delivered is kept. Ids of removed events stay known, so none is shown again.",
  examples: ["webhook inbox prune --older-than 400d"],
  args: {},
  flags: {
    olderThan: requiredOption({
      value: "400d",
      summary: "Remove what was received longer ago than this.",
      read: (text, name) => parseDuration(text, name, "400d", olderThanMaxMs),
    }),
  },
  exits: ["setup"],
  async run({ flags }, session) {
    const before = session.host.clock.now() - flags.olderThan;
    const removed = await pruneInbox(session, before);
    return {
      shape: "record",
      columns: [{ name: "removed", kind: "count" }],
      record: { removed: Numeral.of(removed) },
    };
  },
});
