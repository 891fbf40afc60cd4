import type { OutgoingResponse } from "../../host/server/listener.ts";

/** An answer that waits for its release. */
export class HeldAnswer {
  readonly #endpoint: string;
  readonly #reached = Promise.withResolvers<void>();
  readonly #released = Promise.withResolvers<void>();
  #isTaken = false;

  /** @param endpoint by its name with hyphens */
  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  /** Resolves when the request has arrived and is processed. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  release(): void {
    this.#released.resolve();
  }

  /** True for the first request to its endpoint: its answer is held. */
  takes(endpoint: string): boolean {
    if (this.#isTaken || endpoint !== this.#endpoint) return false;
    this.#isTaken = true;
    return true;
  }

  /** Resolves with the answer once it is released. */
  async after(answer: Promise<OutgoingResponse>): Promise<OutgoingResponse> {
    const response = await answer;
    this.#reached.resolve();
    await this.#released.promise;
    return response;
  }
}
