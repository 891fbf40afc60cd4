import { holdGrowth } from "../../hostile/growth.ts";
import { webhookReaders } from "../../hostile/webhooks.ts";

holdGrowth(webhookReaders);
