import { holdGrowth } from "../../hostile/growth.ts";
import { statementReaders } from "../../hostile/statements.ts";

holdGrowth(statementReaders);
