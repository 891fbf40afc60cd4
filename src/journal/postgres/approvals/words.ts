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

/** Nothing of a caller's comes in between: no schema, no temporary table, no operator of theirs. */
export const fixedFunction = "SECURITY DEFINER SET search_path = pg_catalog, pg_temp";
export const nowMs = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** The reason of a failure that says that an order is refused only with a checker's word. */
export const noCheckersWord = "no checker's word";
/** The reason of a failure that says that what there is of approvals has to be brought to this version. */
export const formerApprovals = "former approvals";
