import { expect, test } from "vitest";
import { isCountry } from "../../src/values/country.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
const codes = letters.flatMap((one) => letters.map((two) => one + two)).filter((code) => isCountry(code));

test("there are as many countries as codes in the standard", () => {
  expect(codes).toHaveLength(249);
});

test("each country has a name", () => {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  expect(codes.filter((code) => names.of(code) === undefined)).toEqual([]);
});

test.each(["TZ", "KE", "UG", "SS", "CD", "GB", "US", "CW"])("%s is a country", (code) => {
  expect(isCountry(code)).toBe(true);
});

// Withdrawn, reserved, of groups of countries, or for private use.
test.each(["AN", "YU", "UK", "EU", "UN", "XK", "ZZ", "AA", "tz", "TZA", "", "T", "constructor"])(
  "%j isn't a country",
  (code) => {
    expect(isCountry(code)).toBe(false);
  },
);
