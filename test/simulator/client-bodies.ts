// Bodies as clients in several languages write them, typed by hand.

export const rest = '"narration":"lunch","transactionRef":"INV-1","callbackUrl":"http://127.0.0.1:9/hook"';
export const at = (date: string) => `"transactionDate":"${date}"`;

/** The client, the request's id, the body, and the amount and time that the statement then shows. */
export const collections = [
  ["Go, fields in order", "req_1774938600", `"amount":5000,${at("2026-03-31 09:30:00")}`, "5000", "09:30:00"],
  ["Go, time.RFC3339", "x", `"amount":5000,${at("2026-03-31T09:30:00+03:00")}`, "5000", "09:30:00"],
  ["Go, RFC3339Nano", "x", `"amount":5000,${at("2026-03-31T06:30:00.123456789Z")}`, "5000", "09:30:00"],
  ["PHP, numeric text", "65f1c0ffee123", `"amount":"5000",${at("2026-03-31 09:30:00")}`, "5000", "09:30:00"],
  [
    "PHP, number_format and date('c')",
    "1",
    `"amount":"5000.00",${at("2026-03-31T08:30:00+02:00")}`,
    "5000.00",
    "09:30:00",
  ],
  ["PHP, DATE_ISO8601", "1", `"amount":5000.0,${at("2026-03-31T06:30:00+0000")}`, "5000.0", "09:30:00"],
  ["Java, a double", "one-for-all", `"amount":5000.00,${at("2026-03-31 09:30:00")}`, "5000.00", "09:30:00"],
  [
    "Java, a BigDecimal and an Instant",
    "one-for-all",
    `"amount":5E+3,${at("2026-03-31T06:30:00Z")}`,
    "5000",
    "09:30:00",
  ],
  ["Java, an OffsetDateTime without seconds", "2", `"amount":5000,${at("2026-03-31T09:30+03:00")}`, "5000", "09:30:00"],
  ["Node, toISOString", "id with spaces", `"amount":"5000",${at("2026-03-31T06:30:00.123Z")}`, "5000", "09:30:00"],
  ["Python, isoformat with Z", "uuid", `"amount":5000.0,${at("2026-03-31T06:30:00.123456Z")}`, "5000.0", "09:30:00"],
  [
    "Python, isoformat of an aware time",
    "uuid",
    `"amount":5000,${at("2026-03-31T06:30:00.123456+00:00")}`,
    "5000",
    "09:30:00",
  ],
  ["Dart, toUtc().toIso8601String()", "{}", `"amount":5000,${at("2026-03-31T06:30:00.123456Z")}`, "5000", "09:30:00"],
  ["Dart, a local time", "{}", `"amount":5000.0,${at("2026-03-31T09:30:00.123456")}`, "5000.0", "09:30:00"],
  ["C#, round-trip form", "0", `"amount":5000.0,${at("2026-03-31T09:30:00.1234567+03:00")}`, "5000.0", "09:30:00"],
  ["Ruby, iso8601", "0", `"amount":"5000.0",${at("2026-03-31T06:30:00Z")}`, "5000.0", "09:30:00"],
  [
    "a day that is the next one in Dar es Salaam",
    "0",
    `"amount":5000,${at("2026-03-30T22:30:00Z")}`,
    "5000",
    "01:30:00",
  ],
] as const;
