/** The attempted operation: the same code can mean different things. */
export type Operation = "use" | "read" | "write" | "listen" | "connect" | "run";

/** The meanings of the system's codes, in words between a colon and a full stop. */
const usual: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "there is no such file or folder",
  EEXIST: "something else is there already",
  ENOTDIR: "a part of its path is a file, not a folder",
  EISDIR: "it is a folder",
  EFTYPE: "it isn't an ordinary file",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  EINVAL: "its name cannot be used here",
  ESPIPE: "it is a link to a pipe; what is piped is /dev/stdin",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be larger than this system allows",
  EIO: "the disk reports an error",
  EBUSY: "another program is using it",
  ETXTBSY: "another program is using it",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  ENXIO: "no program reads from it",
  EPIPE: "the program that read from it has ended",
  EADDRINUSE: "the port is in use",
  EADDRNOTAVAIL: "this machine has no such address",
  ECONNREFUSED: "no server listens there",
  ECONNRESET: "the connection broke off",
  EHOSTUNREACH: "there is no way to the host",
  ENETUNREACH: "there is no way to the network",
  ENOTFOUND: "there is no host of that name",
  EAI_AGAIN: "the host's name cannot be looked up",
  ETIMEDOUT: "it does not answer",
};

/** Meanings that are more specific for an attempt. */
const special: Readonly<Partial<Record<Operation, Readonly<Record<string, string>>>>> = {
  read: {
    ENOENT: "there is no such file",
    EACCES: "it may not be read",
    EPERM: "it may not be read",
  },
  write: {
    ENOENT: "its folder does not exist",
    EACCES: "its folder may not be written to",
    EPERM: "writing there is not permitted",
  },
  connect: { ENOENT: "there is no such socket", EPIPE: "the connection broke off" },
  run: { ENOENT: "there is no such program", EACCES: "it may not be run" },
};

/** Node's codes for certificates that it rejects; the words follow "the certificate". */
const certificates: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "comes from an authority that is not trusted here",
  UNABLE_TO_GET_ISSUER_CERT: "comes from an authority that is not trusted here",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "comes from an authority that is not trusted here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "comes from an authority that is not trusted here",
  CERT_HAS_EXPIRED: "has expired",
  CERT_NOT_YET_VALID: "is not valid yet: is the clock right?",
  CERT_REVOKED: "was revoked",
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another host",
};

/** Node's code of an error, such as ENOENT; undefined where it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * Why the system refused, in words that follow a colon; undefined for other errors. Node's own message is not used: it
 * may quote content.
 */
export function systemReason(error: unknown, attempt: Operation = "use"): string | undefined {
  return reasonOfCode(codeOf(error) ?? "", attempt);
}

/** The same, from the code alone. */
export function reasonOfCode(code: string, attempt: Operation = "use"): string | undefined {
  return special[attempt]?.[code] ?? usual[code];
}

/** What is wrong with a certificate, in words that follow it; undefined for other codes. */
export function certificateReason(code: string): string | undefined {
  return certificates[code];
}
