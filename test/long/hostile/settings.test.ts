import { holdGrowth } from "../../hostile/growth.ts";
import { settingReaders } from "../../hostile/settings.ts";

holdGrowth(settingReaders);
