import type { SecureContext } from "node:tls";

type Environment = Readonly<Record<string, string | undefined>>;

/** OpenSSL's codes for an unknown issuer. Every other fault of a certificate stays an error. */
const unknownIssuer: ReadonlySet<unknown> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/**
 * What TLS trusts: Node's own certificates and those of `--ca-cert`. The system's are added at the first server that
 * can't be verified without them.
 */
export class Trust {
  readonly #extraCertificates: string | undefined;
  readonly #environment: Environment;
  #context: SecureContext | undefined;
  #isOfSystem = false;

  private constructor(
    extraCertificates: string | undefined,
    environment: Environment,
    context: SecureContext | undefined,
  ) {
    this.#extraCertificates = extraCertificates;
    this.#environment = environment;
    this.#context = context;
  }

  /** @throws {Error} where `extraCertificates` are invalid */
  static async of(extraCertificates: string | undefined, environment: Environment): Promise<Trust> {
    if (extraCertificates === undefined) return new Trust(undefined, environment, undefined);
    const { trustBesides } = await import("./certificates.ts");
    return new Trust(extraCertificates, environment, trustBesides(extraCertificates));
  }

  /**
   * Connects, and where the server's issuer is unknown, tries once more with the system's certificates. No byte of a
   * request has left by then: a connection is used only once the server is verified.
   */
  async connecting<T>(connect: (context: SecureContext | undefined) => Promise<T>): Promise<T> {
    const wasOfSystem = this.#isOfSystem;
    try {
      return await connect(this.#context);
    } catch (error) {
      if (wasOfSystem || !isOfUnknownIssuer(error)) throw error;
      if (!this.#isOfSystem) {
        const { trustOfSystem } = await import("./certificates.ts");
        this.#context = trustOfSystem(this.#extraCertificates, this.#environment);
        this.#isOfSystem = true;
      }
      return connect(this.#context);
    }
  }
}

/** True for the failure of a connection to a server whose certificate has an unknown issuer. */
export function isOfUnknownIssuer(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && unknownIssuer.has(cause.code);
}
