/** The style of a statement's page, on screen and on paper. The page's policy has its hash. */
export const pageStyle = `
:root { color-scheme: light; --ink: #1c2733; --soft: #5b6b7b; --line: #d5dde5; --pale: #f3f6f9; --blue: #1f5f99; }
* { box-sizing: border-box; }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1.5rem; color: var(--ink); background: #fff;
  font: 0.875rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif; }
header p { margin: 0; color: var(--soft); font-size: 0.8rem; letter-spacing: 0.08em; text-transform: uppercase; }
h1 { margin: 0.1rem 0 0.75rem; font-size: 1.75rem; line-height: 1.2; overflow-wrap: anywhere; }
header .verdict { margin-top: 0.75rem; color: inherit; font-size: 0.875rem; letter-spacing: 0; text-transform: none; }
header .wrong { color: #b3261e; font-weight: 600; }
dl { display: flex; flex-wrap: wrap; margin: 0; }
dt { color: var(--soft); font-size: 0.75rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
.facts { gap: 0.5rem 2.5rem; }
.totals { margin: 1.5rem 0; border: 1px solid var(--line); border-radius: 0.375rem; background: var(--pale); }
.totals div { flex: 1 1 8rem; padding: 0.75rem 1rem; }
.totals dd { font-size: 1.15rem; font-weight: 600; white-space: nowrap; }
figure { margin: 0 0 1.5rem; break-inside: avoid; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font-size: 12px; font-family: inherit; }
svg .number { text-anchor: end; font-variant-numeric: tabular-nums; }
svg path { fill: none; stroke: var(--line); }
svg .zero { stroke: var(--soft); }
svg .axis { stroke: var(--soft); }
figcaption { color: var(--soft); font-size: 0.75rem; }
svg .curve { stroke: var(--blue); stroke-width: 1.5; stroke-linejoin: round; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.4rem 0.5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { border-bottom: 2px solid var(--ink); font-size: 0.75rem; color: var(--soft); background: #fff;
  position: sticky; top: 0; }
td { overflow-wrap: anywhere; }
small { display: block; color: var(--soft); font-size: 0.75rem; }
.date { white-space: nowrap; font-variant-numeric: tabular-nums; }
.date small { display: inline; margin-left: 0.5rem; }
.reference { min-width: 9rem; font-size: 0.8rem; }
.narration { min-width: 12rem; }
.amount { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.fee td { color: var(--soft); }
.sum th, .sum td { border-top: 2px solid var(--ink); border-bottom: 0; font-weight: 600; }
.empty { padding: 1.5rem; text-align: center; color: var(--soft); }
.running { display: none; }
@media screen and (max-width: 40rem) {
  body { margin: 1rem auto; padding: 0 1rem; }
  svg text { font-size: 17px; }
  thead { display: none; }
  table, tbody { display: block; }
  tr { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: 0.5rem 0;
    border-bottom: 1px solid var(--line); }
  th, td { padding: 0.1rem 0; border: 0; }
  td:empty { display: none; }
  .date, .narration, .reference { grid-column: 1; min-width: 0; }
  .amount { grid-column: 2; }
  .amount::before { margin-right: 0.5rem; color: var(--soft); font-size: 0.75rem; }
  td:nth-child(4)::before, .sum td:nth-child(2)::before { content: "Debit"; }
  td:nth-child(5)::before, .sum td:nth-child(3)::before { content: "Credit"; }
  td:nth-child(6)::before, .sum td:nth-child(4)::before { content: "Balance"; }
  .date { grid-row: 1; }
  .narration { grid-row: 2; }
  .reference { grid-row: 3; }
  .sum th { grid-column: 1 / 3; }
}
@page { size: A4; margin: 14mm 14mm 18mm;
  @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 8pt sans-serif; color: #5b6b7b; } }
@media print {
  html { font-size: 12px; }
  body { margin: 0; padding: 0; max-width: none; }
  th, td { padding: 0.25rem 0.35rem; }
  thead { display: table-header-group; }
  thead th { position: static; }
  tr { break-inside: avoid; }
  .sum { break-before: avoid; }
  .running { display: table-row; }
  .running td { padding: 0 0 0.4rem; border: 0; color: var(--soft); font-size: 0.8rem; }
  .totals { print-color-adjust: exact; }
}
`;
