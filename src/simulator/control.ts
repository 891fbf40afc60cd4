import type { RequestHandler } from "../host/server/listener.ts";

/** Lets the process that started a simulator in the background check whether it runs, and stop it. */
export interface Control {
  /** The prefix of its paths, which is secret. */
  readonly path: string;
  /** The answer to a check. Another program on the same port can't know it. */
  readonly name: string;
  stop(): void;
}

/** The requests to a control: check, or stop. */
export type ControlWord = "look" | "stop";

/** Handles control requests before everything else, so that no fault can keep a simulator from being stopped. */
export function withControl(answer: RequestHandler, control: Control | undefined): RequestHandler {
  if (control === undefined) return answer;
  const { path, name } = control;
  return async (request) => {
    const word = request.method === "POST" ? request.target : "";
    if (word !== `${path}/look` && word !== `${path}/stop`) return answer(request);
    if (word === `${path}/stop`) control.stop();
    return { status: 200, headers: { "content-type": "text/plain" }, body: name };
  };
}
