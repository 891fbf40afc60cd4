/**
 * Members of requests and answers that say who somebody is, how to reach them and what is written to them. Spec 2, and
 * what answers are known to have beyond it. Texts of payments are among them: they name people.
 */
const personalMembers: ReadonlySet<string> = new Set([
  "fullName",
  "firstName",
  "middleName",
  "lastName",
  "name",
  "customerName",
  "payerName",
  "receiverName",
  "recipientNames",
  "accountName",
  "senderAccountName",
  "senderAccountNo",
  "receiverAccount",
  "receiverAccountName",
  "phoneNumber",
  "phone",
  "msisdn",
  "mobile",
  "email",
  "address",
  "nationality",
  "occupation",
  "employer",
  "idNumber",
  "idExpiryDate",
  "dateOfBirth",
  "narration",
  "description",
  "purposeOfTransaction",
  "sourceOfFundsDeclaration",
  "payload",
]);

const hidden = "[personal]";
/** A member of a JSON object with its value, where that is a text or a number; the text may be cut off. */
const member = /"((?:[^"\\]|\\.)*)"(\s*:\s*)("(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*)/g;
/** A mobile number of Tanzania or Kenya as people write it, in any text. */
const mobileNumber = /(?<![\w.])(?:(?:\+|00)?25[45][\s-]?|0)[67](?:[\s-]?\d){8}(?![\w.]?\d)/g;

/** The text of a request or an answer without personal data: what names people is masked, and so are mobile numbers. */
export function withoutPersonalData(text: string): string {
  return text
    .replace(member, (whole, name: string, colon: string) =>
      personalMembers.has(name) ? `"${name}"${colon}"${hidden}"` : whole,
    )
    .replaceAll(mobileNumber, hidden);
}
