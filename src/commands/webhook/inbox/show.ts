import { command } from "../../../app/command.ts";
import { neededText, positional } from "../../../cli/line/input.ts";
import { withInbox } from "../../../app/webhooks/inbox.ts";
import { detailFields, detailRow } from "../../../webhooks/inbox/inbox-report.ts";
import { theEvent } from "../../../webhooks/listen/replay.ts";

export default command({
  summary: "Show one event with its payload and what became of it.",
  examples: ["webhook inbox show Xk3PqW81aZ0b", "webhook inbox show Xk3PqW81aZ0b --json"],
  args: { id: positional({ summary: "The event's transaction.id, or what the list says.", read: neededText }) },
  flags: {},
  exits: ["setup", "refused"],
  async run({ args }, session) {
    const kept = await withInbox(session, "read", (inbox) => theEvent(inbox, args.id));
    return { shape: "record", columns: detailFields, record: detailRow(kept), isRead: true };
  },
});
