import { holdGrowth } from "../../hostile/growth.ts";
import { environmentReaders } from "../../hostile/environment.ts";

holdGrowth(environmentReaders);
