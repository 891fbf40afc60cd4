import { expect, test } from "vitest";
import { dark, light, terminalPicture } from "../../scripts/picture/terminal-picture.ts";

const escape = "\u001b";
const screen = `${escape}[1;32m$${escape}[0m partner <x>\n${escape}[31mError:${escape}[39m 5.00   ${escape}[2mTZS${escape}[0m\n\n`;

test("a picture has each piece of a screen in its place and colour", () => {
  const texts = [
    ...terminalPicture(screen, 80, light).matchAll(/<text x="([\d.]+)" y="(\d+)" fill="(.*?)"(.*?)>(.*?)</g),
  ];
  expect(texts.map(([, x, y, fill, , text]) => [Number(x), Number(y), fill, text])).toEqual([
    [16, 30, "#116329", "$"],
    [32.8, 30, "#1f2328", "partner &lt;x&gt;"],
    [16, 50, "#cf222e", "Error:"],
    [74.8, 50, "#1f2328", "5.00"],
    [133.6, 50, "#656d76", "TZS"],
  ]);
});

test("the light and dark pictures differ only in colours", () => {
  expect(shapeOf(terminalPicture(screen, 80, dark))).toBe(shapeOf(terminalPicture(screen, 80, light)));
});

function shapeOf(picture: string): string {
  return picture.replaceAll(/#[\da-f]{6}/g, "#");
}
