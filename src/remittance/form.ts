import type { RemittanceField } from "./fields.ts";
import { remittanceFields } from "./fields.ts";

/**
 * The order in which a person is asked: who sends, who receives, how much, through what. The rate comes before the
 * receiver's amount, which can then be computed, and the channel before the institution, which depends on it.
 */
const pages: Readonly<Record<string, readonly string[]>> = {
  sender: pathsOf("sender."),
  receiver: pathsOf("receiver."),
  amount: ["senderCurrency", "senderAmount", "receiverCurrency", "exchangeRate", "receiverAmount", "description"],
  channel: ["receiverChannel", "institutionCode", "receiverAccount", "callbackUrl", "paymentDate", "partnerReference"],
};

/** Every field, in the order of the form. */
export const formOrder: readonly RemittanceField[] = Object.values(pages).flatMap((paths) =>
  paths.flatMap((path) => remittanceFields.filter((field) => field.path === path)),
);

/** The page of the form with this field. */
export function pageOf({ path }: RemittanceField): string | undefined {
  return Object.keys(pages).find((page) => pages[page]?.includes(path));
}

function pathsOf(part: string): string[] {
  return remittanceFields.flatMap(({ path }) => (path.startsWith(part) ? [path] : []));
}
