/** Work in a thread of this process. Its messages are handled in order. */
export interface Thread {
  /**
   * Resolves when it is done, with what the thread gives back.
   * @param given what of the message is not ours any more
   * @throws what went wrong there, with its name, message and codes
   */
  tell(message: unknown, given?: readonly ArrayBuffer[]): Promise<readonly ArrayBuffer[]>;
  /** Resolves when the thread has ended; what it was told and has not done is left. */
  end(): Promise<void>;
}

/** What a thread does. */
export interface ThreadTask<T = unknown> {
  /** @returns what it gives back of the message */
  take(message: T): readonly ArrayBuffer[];
  end(): void;
}

/** What a thread is asked to begin with. */
export interface ThreadStart {
  readonly task: string;
  readonly given: unknown;
}

/** How a message was taken. */
export interface ThreadReply {
  readonly given: readonly ArrayBuffer[];
  /** What went wrong; undefined where nothing did. */
  readonly error?: { readonly name: string; readonly message: string; readonly codes: object } | undefined;
}
