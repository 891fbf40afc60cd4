import { build } from "rolldown";
import config from "../../rolldown.config.ts";

/** `npm run build`: the program into dist/, and one line about it. */
const { output } = await build(config);
const bytes = output.reduce((sum, file) => sum + Buffer.byteLength(file.type === "chunk" ? file.code : file.source), 0);
console.log(`dist: ${output.length} files, ${(bytes / 1e6).toFixed(1)} MB`);
