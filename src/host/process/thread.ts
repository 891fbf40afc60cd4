/** Work in a thread of this process. Its messages are handled in order. */
export interface Thread {
  /**
   * Sends a message; resolves when it is handled, with the buffers that the thread gives back.
   * @param given buffers of the message, which are transferred
   * @throws the thread's error, with its name, message and codes
   */
  tell(message: unknown, given?: readonly ArrayBuffer[]): Promise<readonly ArrayBuffer[]>;
  /** Ends the thread once it has handled all earlier messages; resolves when it has ended. */
  end(): Promise<void>;
}

/** The work of a thread. */
export interface ThreadTask<T = unknown> {
  /** @returns buffers of the message, to transfer back */
  take(message: T): readonly ArrayBuffer[];
  end(): void;
}

/** The task that a thread starts with, and its argument. */
export interface ThreadStart {
  readonly task: string;
  readonly given: unknown;
}

/** The reply to a message. */
export interface ThreadReply {
  readonly given: readonly ArrayBuffer[];
  /** Undefined where the message was handled. */
  readonly error?: { readonly name: string; readonly message: string; readonly codes: object } | undefined;
}
