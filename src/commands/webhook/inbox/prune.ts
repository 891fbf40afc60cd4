import { command } from "../../../app/command.ts";
import { requiredOption } from "../../../cli/line/input.ts";
import { withInbox } from "../../../app/webhooks/inbox.ts";
import { formatDuration, parseDuration } from "../../../values/time/duration.ts";
import { Numeral } from "../../../values/json.ts";

const dayMs = 86_400_000;
const olderThanMaxMs = 36_500 * dayMs;
/** Spec 6.2: deliveries are retried for 24 hours; a day more for clocks and for receivers that were away. */
const mayRepeatMs = 2 * dayMs;

export default command({
  summary: "Remove events that were received long ago.",
  description: "What still waits to be delivered is kept. The space is used again for what comes.",
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
    const removed = await withInbox(session, "write", (inbox) => inbox.prune(before));
    if (removed > 0 && flags.olderThan < mayRepeatMs)
      await session.note(
        `The service may send events again for ${formatDuration(mayRepeatMs)}: those that were removed would count as new.`,
      );
    return {
      shape: "record",
      columns: [{ name: "removed", kind: "count" }],
      record: { removed: Numeral.of(removed) },
    };
  },
});
