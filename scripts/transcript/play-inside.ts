import { readFileSync, writeFileSync } from "node:fs";
import { playCommands } from "./play.ts";

// Runs inside of what a transcript names in its first line, such as `partner simulator run`, with the environment that
// this made: plays the commands of one file and writes what came back to another.
const [orders = "", outcomes = ""] = process.argv.slice(2);
const commands: unknown = JSON.parse(readFileSync(orders, "utf8"));
const played = await playCommands(Array.isArray(commands) ? commands.map(String) : [], process.env, process.cwd());
writeFileSync(outcomes, JSON.stringify(played));
