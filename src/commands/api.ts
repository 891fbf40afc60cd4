import { command } from "../app/command.ts";
import { knownEndpoints } from "../app/api/known-endpoints.ts";
import { rawContent } from "../app/api/content.ts";
import { parseBodySource, parseMethod, parseQueryPair, rawRequest } from "../app/api/request.ts";
import { readingEndsIn } from "../cli/endings.ts";
import { neededText, option, positional, repeatedOption } from "../cli/line/input.ts";

export default command({
  summary: "Read an endpoint of the service directly, and print its answer byte for byte.",
  description:
    "PATH is below the base URL of the profile, whose credentials are sent. Nothing can be changed or paid this way. It calls only endpoints that read, and refuses any other. For one that moves money, the message names the command to use. An answer that repeats the account's secret reads [secret] there.",
  examples: [
    "api GET /wallet",
    "api GET /account/0150387654321/statement --query startDate=2026-03-01 --query endDate=2026-03-31",
    "api POST /wallet/balance --body @request.json",
    `api POST /wallet/balance --body @- <<< '{"accountNo":"9000112233"}'`,
  ],
  args: {
    method: positional({ summary: "GET or POST.", words: ["GET", "POST"], read: parseMethod }),
    path: positional({ summary: "The path below the base URL, such as /wallet.", read: neededText }),
  },
  flags: {
    query: repeatedOption({ value: "NAME=VALUE", summary: "A field of the query; repeat it.", read: parseQueryPair }),
    body: option({
      value: "@FILE",
      summary: "The JSON of a POST, sent unchanged; @- is stdin.",
      read: parseBodySource,
    }),
  },
  text: { is: "the service's own answer", formats: ["json"], flags: [] },
  exits: readingEndsIn,
  async run({ args, flags }, session) {
    const typed = { ...args, query: flags.query ?? [], body: flags.body };
    const { service } = await session.connection();
    const answer = await session.service.raw(await rawRequest(typed, knownEndpoints(service), session));
    return { shape: "file", content: rawContent(answer, session) };
  },
});
