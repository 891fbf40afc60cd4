import { command } from "../../../app/command.ts";
import { forwardingTo } from "../../../app/webhooks/forwarding.ts";
import { withInbox } from "../../../app/webhooks/inbox.ts";
import { forwardFlag } from "../../../app/webhooks/listen-flags.ts";
import { Failure, interruption } from "../../../values/failure.ts";
import type { Replayed } from "../../../webhooks/listen/replay.ts";
import {
  deliverAgain,
  eventsToReplay,
  scheduleAgain,
  replayFailure,
  replayFields,
} from "../../../webhooks/listen/replay.ts";

export default command({
  summary: "Deliver events again, body exactly as received.",
  description:
    "With --forward-to it is done now, once. Without it, the running receiver with --forward-to or --exec does it within seconds, with all its retries. If none runs, the next one does it.",
  examples: [
    "webhook inbox replay Xk3PqW81aZ0b --forward-to http://127.0.0.1:3000/webhooks",
    "webhook inbox replay Xk3PqW81aZ0b Yw9LmN27bC4d",
  ],
  args: {},
  rest: "ID...",
  flags: { forwardTo: { ...forwardFlag, summary: "POST each event there, body as received; 2xx accepts it." } },
  exits: ["setup", "refused", "incomplete"],
  async run({ flags, rest }, session) {
    if (rest.length === 0) throw noEvent();
    const { host } = session;
    const { forwardTo } = flags;
    const recipient = forwardTo === undefined ? undefined : await forwardingTo(forwardTo, session);
    const replayed: Replayed[] = [];
    await withInbox(session, "write", async (inbox) => {
      const events = await eventsToReplay(inbox, rest);
      for (const event of events) {
        if (host.signal.aborted) throw interruption(host.signal);
        replayed.push(
          recipient === undefined
            ? await scheduleAgain(event, inbox, host.clock.now())
            : await deliverAgain(event, inbox, recipient, host.signal),
        );
      }
    });
    if (recipient === undefined)
      await session.note("They are delivered by the receiver that runs: partner webhook listen --forward-to URL");
    return {
      shape: "rows",
      columns: replayFields,
      rows: replayed.map(({ row }) => row),
      whenEmpty: "Nothing was replayed.",
      findings: () => ({ notes: [], carried: replayFailure(replayed) }),
    };
  },
});

function noEvent(): Failure {
  return new Failure("usage", "There is no event to replay.", {
    hint: "Name one or more: partner webhook inbox replay ID. See which there are: partner webhook inbox list",
  });
}
