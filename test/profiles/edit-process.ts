// One of several processes that edit the same profiles at the same time: node edit-process.ts FOLDER PREFIX COUNT
import { addProfile } from "../../src/profiles/edit.ts";
import { Secret } from "../../src/values/secret.ts";
import { memoryHost } from "../memory-host.ts";

const [folder = "", prefix = "", count = ""] = process.argv.slice(2);
const host = memoryHost({ environment: { PARTNER_CONFIG_DIR: folder } });
for (let edit = 0; edit < Number(count); edit++) {
  const name = `${prefix}-${edit}`;
  const values = { environment: "sandbox", baseUrl: "https://sandbox.example", accountId: "vendor" };
  // One in five has a secret, so a second file is written.
  await addProfile(host, { name, values, secrets: edit % 5 === 0 ? { secretKey: new Secret(`key-of-${name}`) } : {} });
}
