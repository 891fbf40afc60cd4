/** A signed webhook, as its three texts and as its body. */
export interface Issued {
  readonly timestamp: string;
  readonly signature: string;
  readonly payload: string;
  readonly body: string;
}

type Random = () => number;
/** Changes a body of one issued webhook; others lend their parts. */
type Mutation = (issued: Issued, others: readonly Issued[], random: Random) => string | Uint8Array;

const pick = <T>(from: readonly T[], random: Random): T | undefined => from[Math.floor(random() * from.length)];
const within = (length: number, random: Random) => Math.floor(random() * (length + 1));
const withParts = ({ timestamp, signature, payload }: Issued, changed: object) =>
  JSON.stringify({ timestamp, signature, payload, ...changed });

/** What a byte becomes: another bit, another letter, a byte that is never UTF-8, nothing. */
const byteMutation: Mutation = ({ body }, _, random) => {
  const bytes = Buffer.from(body);
  const at = within(bytes.length - 1, random);
  const how = random();
  if (how < 0.4) bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  else if (how < 0.6) bytes[at] = Math.floor(random() * 256);
  else if (how < 0.8) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  else return Buffer.concat([bytes.subarray(0, at), Buffer.from([Math.floor(random() * 256)]), bytes.subarray(at)]);
  return bytes;
};

const cutMutation: Mutation = ({ body }, _, random) => body.slice(0, within(body.length, random));

const doubledMutation: Mutation = ({ body }, _, random) => {
  const [from, to] = [within(body.length, random), within(body.length, random)];
  return body.slice(0, Math.max(from, to)) + body.slice(Math.min(from, to));
};

/** Spellings of base64 that decoders accept, and others that they refuse. */
const spellings: readonly ((signature: string, random: Random) => string)[] = [
  (signature) => signature.replace(/=+$/, ""),
  (signature) => `${signature}=`,
  (signature) => signature.replaceAll("+", "-").replaceAll("/", "_"),
  (signature) => `${signature}\n`,
  (signature) => ` ${signature}`,
  (signature, random) => {
    const at = within(signature.length, random);
    return `${signature.slice(0, at)}${pick([" ", "\n", "\t", "=", "%", "\u0000", "\u00AD"], random)}${signature.slice(at)}`;
  },
  (signature) => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const last = alphabet.indexOf(signature.charAt(42));
    return `${signature.slice(0, 42)}${alphabet.charAt(last ^ 1)}=`;
  },
  (signature) => `${signature}${signature}`,
  (signature) => Buffer.from(signature, "base64").toString("hex"),
  (signature) => signature.toLowerCase(),
  (signature) => `sha256=${signature}`,
  (signature) => signature.replace("a", "\u0430"),
  () => "",
];
const signatureMutation: Mutation = (issued, _, random) =>
  withParts(issued, { signature: pick(spellings, random)?.(issued.signature, random) });

/** The same characters of timestamp and payload, divided in another place. */
const boundaryMutation: Mutation = (issued, _, random) => {
  const content = issued.timestamp + issued.payload;
  const at = random() < 0.5 ? within(content.length, random) : issued.timestamp.length + within(6, random) - 3;
  return withParts(issued, { timestamp: content.slice(0, at), payload: content.slice(at) });
};

const partsOfOthers: Mutation = (issued, others, random) => {
  const other = pick(others, random) ?? issued;
  const name = pick(["timestamp", "signature", "payload"] as const, random) ?? "payload";
  return withParts(issued, { [name]: other[name] });
};

/** What programs on the way may do to a payload's text. */
const rewritings: readonly ((payload: string, random: Random) => string)[] = [
  (payload) => JSON.stringify(JSON.parse(payload)),
  (payload) => JSON.stringify(JSON.parse(payload), undefined, 2),
  (payload) => `${payload}\n`,
  (payload) => ` ${payload}`,
  (payload) => payload.normalize("NFD"),
  (payload) => payload.normalize("NFKC"),
  (payload) => payload.replaceAll("/", String.raw`\/`),
  (payload) => payload.replaceAll(".00", ""),
  (payload) => payload.replace("CREDIT", "DEBIT"),
  (payload) => payload.replaceAll("\uFFFD", "\uD800"),
  (payload) => payload.replace(/\d/, "9"),
  (payload) => payload.replace('"id":"', '"id":"0'),
  (payload) => payload.replace("{", '{"transaction":{"id":"other"},'),
  (payload, random) => {
    const at = within(payload.length, random);
    return `${payload.slice(0, at)}${pick(["\u200B", "\u0000", "\uD800", "\uDC00", "\uFEFF", " ", "é"], random)}${payload.slice(at)}`;
  },
];
const payloadMutation: Mutation = (issued, _, random) =>
  withParts(issued, { payload: pick(rewritings, random)?.(issued.payload, random) });

/** Other forms of the same instant, and other instants. */
const timestampMutation: Mutation = (issued, _, random) =>
  withParts(issued, {
    timestamp: pick(
      [
        new Date(issued.timestamp).toISOString(),
        issued.timestamp.replace("T", " "),
        issued.timestamp.replace(":", ""),
        issued.timestamp.replace("+03:00", ""),
        `${issued.timestamp} `,
        `${issued.timestamp}\n`,
        issued.timestamp.replace("2", "3"),
        "",
      ],
      random,
    ),
  });

/** The same three texts in another envelope: it stays genuine, unless a second member of that name differs. */
const envelopeMutation: Mutation = (issued, others, random) => {
  const { timestamp, signature, payload } = issued;
  const other = pick(others, random) ?? issued;
  const forms = [
    JSON.stringify({ payload, signature, timestamp }),
    JSON.stringify({ timestamp, signature, payload, extra: { payload: "{}" } }, undefined, 4),
    JSON.stringify({ timestamp, signature, payload }).replaceAll(
      /[é-ÿ]/g,
      (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
    ),
    issued.body.replace(/\}$/, `,"payload":${JSON.stringify(other.payload)}}`),
    issued.body.replace(/\}$/, `,"signature":${JSON.stringify(other.signature)}}`),
    issued.body.replace("{", `{"timestamp":${JSON.stringify(other.timestamp)},`),
    `\r\n\t ${issued.body} \n`,
    `\uFEFF${issued.body}`,
    `[${issued.body}]`,
    JSON.stringify(issued.body),
    JSON.stringify({ timestamp, signature, payload: JSON.parse(payload) }),
    JSON.stringify({ __proto__: null, timestamp, signature, constructor: payload }),
  ];
  return pick(forms, random) ?? issued.body;
};

const mutations: readonly Mutation[] = [
  byteMutation,
  byteMutation,
  cutMutation,
  doubledMutation,
  signatureMutation,
  signatureMutation,
  boundaryMutation,
  partsOfOthers,
  payloadMutation,
  timestampMutation,
  envelopeMutation,
];

/** A changed body: once, or by a byte more. */
export function mutated(all: readonly Issued[], random: Random): Uint8Array {
  const issued = pick(all, random) ?? { timestamp: "", signature: "", payload: "", body: "" };
  const first = Buffer.from(pick(mutations, random)?.(issued, all, random) ?? "");
  if (random() < 0.7) return first;
  return Buffer.from(byteMutation({ ...issued, body: first.toString() }, all, random));
}
