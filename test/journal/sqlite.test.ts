import { journalContract } from "./journal-contract.ts";
import { newPlace, openPlace } from "./orders.ts";

journalContract("sqlite", () => {
  const place = newPlace();
  return (host) => openPlace(place, { host });
});
