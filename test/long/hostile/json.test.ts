import { holdGrowth } from "../../hostile/growth.ts";
import { jsonReaders } from "../../hostile/json.ts";

holdGrowth(jsonReaders);
