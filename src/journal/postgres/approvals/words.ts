/** The database's own error codes. `permission-errors.ts` turns each into a sentence. */
export const permissionErrors = {
  noApproval: "PA001",
  otherOrder: "PA002",
  notAllowed: "PA003",
  noBatch: "PA004",
  redacted: "PA031",
  goneMaker: "PA032",
  otherDigest: "PA005",
  ownBatch: "PA006",
  takenReference: "PA007",
  unfinished: "PA008",
  withdrawn: "PA009",
  rejected: "PA010",
  tooMuch: "PA011",
  decided: "PA012",
  notOwn: "PA013",
  otherKey: "PA030",
  unfulfillable: "PA020",
  noRuleMaker: "PA021",
  tooFew: "PA022",
  counted: "PA023",
  overLimit: "PA024",
  beyondLevels: "PA025",
  noDeputy: "PA026",
  noCheckersWord: "PA027",
  notOpen: "PA028",
} as const;

/** A caller can't interpose anything: no schema, temporary table or operator. */
export const fixedFunction = "SECURITY DEFINER SET search_path = pg_catalog, pg_temp";
export const nowMs = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** The failure reason where an order needs a checker's word to be called refused. */
export const noCheckersWord = "no checker's word";
/** The failure reason where the tables of approvals have to be brought to this version. */
export const formerApprovals = "former approvals";
