/** One connection at a time to one server, over which requests go one after another. */
export interface HttpClient {
  dispatch(request: HttpRequest, progress: ProgressHandler): void;
  /** Closes its connection, even during a request. */
  destroy(): Promise<void>;
}

export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** From the request's last byte to the answer's headers. */
  readonly headersTimeout: number;
  /** The longest silence within the answer's body. */
  readonly bodyTimeout: number;
  /** True closes the connection after the answer. */
  readonly reset?: boolean;
}

/** Progress callbacks of a request. */
export interface ProgressHandler {
  /** The connection is open and no byte has left. A throw sends nothing. */
  onRequestStart(controller: ProgressController): void;
  onResponseStart(controller: ProgressController, status: number, headers: AnswerHeaders): void;
  onResponseData(controller: ProgressController, bytes: Uint8Array): void;
  onResponseEnd(): void;
  onResponseError(controller: ProgressController | undefined, error: unknown): void;
}

export interface ProgressController {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;
