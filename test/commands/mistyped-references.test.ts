import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

// A decision by a person allows an order to be sent again. A mistyped reference can equal the beginning of another
// order's id.

const rent = "--from 9000112233 --to 9000112244 --amount 5 --description rent --yes --reference R-1";

for (const word of ["--as refused --against-statement", "--as accepted"])
  test(`a reference missing from the journal never applies ${word} to an order whose id begins with it`, async ({
    partnerIn,
    faults,
  }) => {
    const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
    faults.loseNextAnswer();
    expect(await partner`transfer ${rent}`).toMatchObject({ exit: 6 });
    const [id = ""] = (await partner`journal list --columns id --csv --no-header`).stdout.split("\n");
    for (const slip of [id.slice(0, 1), id.slice(0, 4).toUpperCase(), id.slice(0, 7)]) {
      const said = await partner`journal resolve ${slip} ${word} --evidence call`;
      expect(said).toMatchObject({ exit: 2, stdout: "" });
      expect(said.stderr).toContain(`is how the id of the transfer R-1 begins`);
      expect(said.stderr).toContain(id);
    }
    const list = await partner`journal list --state unknown --columns reference --csv --no-header`;
    expect(list.stdout).toBe("R-1\n");
    expect(await partner`journal resolve ${id.slice(0, 8)} ${word} --evidence call`).toMatchObject({ exit: 0 });
  });
