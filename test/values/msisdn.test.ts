import { expect, test } from "vitest";
import { parseMsisdn } from "../../src/values/msisdn.ts";
import { failureOf } from "./failure-of.ts";

test.each([
  "255712345678",
  "+255712345678",
  "00255712345678",
  "0712345678",
  " +255 712 345 678",
  "0712\u00a0345\u00a0678",
  "0712-345-678",
  "712345678",
  "712 345 678",
  "+255 712-345-678",
  "255-712-345-678",
  "0712\u2013345\u2011678",
])("%s is written in the service's form", (text) => {
  expect(parseMsisdn(text, "--msisdn")).toBe("255712345678");
});

test.each([
  "",
  "71234567",
  "7123456789",
  "212345678",
  "-712345678",
  "0712--345-678",
  "0712345678-",
  "25571234567",
  "2557123456789",
  "+254712345",
  "2.55712E+11",
  "٠٧١٢٣٤٥٦٧٨",
  "000712345678",
  "0012345678",
  "+2550712345678",
])("%j isn't a Tanzanian number", (text) => {
  expect(failureOf(() => parseMsisdn(text, "--msisdn"))).toMatchObject({
    ending: "usage",
    hint: expect.stringContaining("--msisdn 255712345678"),
  });
});
