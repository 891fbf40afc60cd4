import type { Host } from "../../../host/host.ts";
import { WireError } from "../../../host/http/transport.ts";
import type { ControlWord } from "../../../simulator/control.ts";
import { Failure, interruption } from "../../../values/failure.ts";
import type { BackgroundRecord } from "./record.ts";

/** The simulator answers at once unless something is wrong with it. */
const answerMaxMs = 10_000;
const answerMaxBytes = 4096;

/**
 * Sends a request to the simulator of this record; false where it is gone, even if another program has its port or
 * process id now.
 * @throws {Failure} unavailable where a program accepts the request and does not answer
 */
export async function ask(host: Host, record: BackgroundRecord, word: ControlWord): Promise<boolean> {
  const post = await host.openPost({});
  try {
    const { status, body } = await post({
      url: `${record.control}/${word}`,
      body: "{}",
      requestId: host.ids.uuid(),
      limits: {
        connectTimeoutMs: answerMaxMs,
        headersTimeoutMs: answerMaxMs,
        bodyTimeoutMs: answerMaxMs,
        deadlineMs: answerMaxMs,
        responseMaxBytes: answerMaxBytes,
      },
      signal: host.signal,
    });
    const said: Uint8Array[] = [];
    for await (const bytes of body) said.push(bytes);
    return status === 200 && Buffer.concat(said).equals(Buffer.from(record.name));
  } catch (error) {
    if (host.signal.aborted) throw interruption(host.signal);
    if (!(error instanceof WireError)) throw error;
    if (error.kind === "timeout") throw silent(record, error);
    return false;
  }
}

function silent({ processId, access }: BackgroundRecord, cause: unknown): Failure {
  return new Failure("unavailable", `The simulator at ${access.accountBaseUrl} does not answer.`, {
    hint: `It was process ${processId}. If that is still partner, end it, and try again.`,
    cause,
  });
}
