import { holdGrowth } from "../../hostile/growth.ts";
import { sheetReaders } from "../../hostile/sheets.ts";

holdGrowth(sheetReaders);
