import type { Probed } from "../client/probe.ts";
import { clockOffMs } from "../values/time/service-clock.ts";
import { formatDuration } from "../values/time/duration.ts";
import type { Check } from "./check.ts";
import { ok, problem, warning } from "./check.ts";

/** With a larger difference, a signature's timestamp or a certificate's first day may be judged wrongly. */
const clockMaxMs = 60_000;

/** What the answer to a plain read of group A says about the address and the credentials. */
export function judgeService(url: string, { status, headers }: Probed, isProven: boolean): Check {
  const check = "service";
  const answered = `${url} answered ${status}`;
  if (status === 401 || status === 403)
    return isProven
      ? problem(check, `${answered}: it does not accept the account id and the secret key.`)
      : ok(check, `${answered}, as it should to a request without credentials`);
  if (status >= 200 && status < 300)
    return /^text\/html/i.test(headers["content-type"] ?? "")
      ? warning(check, `${answered} with a web page: is the base URL right?`)
      : ok(check, answered);
  if (status === 404) return problem(check, `${answered}: is the path of the base URL right?`);
  if (status < 400) return problem(check, `${answered}: it redirects us to another address. Is the base URL right?`);
  if (status === 408 || status === 429) return warning(check, `${answered}: it is busy. Try again in a minute.`);
  if (status >= 500) return problem(check, `${answered}: it has a problem of its own. Try again later.`);
  return problem(check, `${answered} to a plain read.`);
}

/** Every read of group B needs an account: this checks only that something there speaks HTTP. */
export function judgeAccountService(url: string, { status }: Probed): Check {
  const check = "account service";
  const answered = `${url} answered ${status}`;
  if (status >= 500) return warning(check, `${answered}: it has a problem of its own. Try again later.`);
  return ok(check, `${answered}. To try the token: partner profile check`);
}

/** Compares our clock with the date of the answer. */
export function judgeClock(probed: Probed): Check {
  const check = "clock";
  const serviceAheadMs = clockOffMs(probed);
  if (serviceAheadMs === undefined) return warning(check, "not compared: the service's answer has no date.");
  const offMs = Math.abs(serviceAheadMs);
  if (offMs <= clockMaxMs) return ok(check, "agrees with the service's within a minute");
  const off = formatDuration(Math.round(offMs / 1000) * 1000);
  return warning(
    check,
    `This machine's clock is ${off} ${serviceAheadMs < 0 ? "ahead of" : "behind"} the service's. Synchronise it over the network.`,
  );
}
