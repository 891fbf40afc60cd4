import { holdGrowth } from "../../hostile/growth.ts";
import { orderReaders } from "../../hostile/orders.ts";

holdGrowth(orderReaders);
