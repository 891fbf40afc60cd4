import type { Answer } from "../host/server/listener.ts";

/** A way in for who started a simulator in the background: to ask whether it runs, and to stop it. */
export interface Control {
  /** The beginning of its paths, which nobody guesses. */
  readonly path: string;
  /** What it answers. Another program on the same port can't know it. */
  readonly name: string;
  stop(): void;
}

/** What a control is asked for. */
export type ControlWord = "look" | "stop";

/** Puts the control before all else, so that no fault that was asked for keeps a simulator from being stopped. */
export function controlled(answer: Answer, control: Control | undefined): Answer {
  if (control === undefined) return answer;
  const { path, name } = control;
  return async (request) => {
    const word = request.method === "POST" ? request.target : "";
    if (word !== `${path}/look` && word !== `${path}/stop`) return answer(request);
    if (word === `${path}/stop`) control.stop();
    return { status: 200, headers: { "content-type": "text/plain" }, body: name };
  };
}
