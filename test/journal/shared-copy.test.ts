import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { memoryHost } from "../memory-host.ts";
import { run } from "../partner.ts";
import { withPostgres } from "../with-postgres.ts";
import { claimOf, newPlace, openPlace, orderOf, send } from "./orders.ts";
import { newShared, openShared } from "./shared-places.ts";

const ids = { uuid: randomUUID, bytes: (count: number) => new Uint8Array(randomBytes(count)), random: () => 0.5 };

withPostgres("a journal that is moved into a shared one", (server) => {
  test("still has its names of accounts, like orders, proofs, and rows of statements", async () => {
    const place = newPlace();
    const local = await openPlace(place);
    const claim = claimOf(await local.open(orderOf()));
    await send(claim, "request-1");
    await claim.settle({ state: "accepted", proofs: [{ key: "row-1", row: "{}" }] });
    const { scope, request } = orderOf();
    const seen = { scope: "live http://127.0.0.1:8080 ACC-1", accountNo: "1", reference: "S-1", key: "k", row: "{}" };
    await local.keepSeen([seen]);
    await local.close();
    const address = await newShared(server);
    const environment = {
      PARTNER_CONFIG_DIR: place.configFolder,
      PARTNER_STATE_DIR: place.stateFolder,
      PARTNER_JOURNAL_URL: address,
    };
    expect(await run(["journal", "copy"], { environment, host: { ids } })).toMatchObject({ exit: 0 });
    // A command that only reads finds it, before the first write there.
    const shared = await openShared(address, { host: memoryHost(), use: "read" });
    expect(await shared.accounts()).toEqual([seen.scope, scope].toSorted());
    expect(await shared.find(orderOf({ scope: seen.scope }))).toMatchObject({ id: claim.movement.id });
    expect(await shared.provedBy(["row-1"])).toEqual(new Map([["row-1", claim.movement.id]]));
    const around = await shared.lookAround(orderOf({ reference: "inv-1" }), request);
    expect(around).toMatchObject({ near: [{ id: claim.movement.id }], like: [{ id: claim.movement.id }], seen: [] });
    expect((await shared.lookAround(orderOf({ reference: "s-1" }), request)).seen).toEqual([seen]);
    await shared.close();
  });
});
