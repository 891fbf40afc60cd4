/**
 * Members of requests and answers with names, addresses or messages of people: those of spec 2, and others that occur
 * in answers. Texts of payments are included, since they name people.
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
/** A member of a JSON object with a text or number as its value; the text may be cut off. */
const member = /"(\w+)"(\s*:\s*)("(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*)/g;
/** A mobile number of Tanzania or Kenya as people write it, in any text. */
const mobileNumber = /(?<![\w.])(?:(?:\+|00)?25[45][\s-]?|0)[67](?:[\s-]?\d){8}(?![\w.]?\d)/g;

/** The text of a request or an answer with names, addresses and mobile numbers masked. */
export function withoutPersonalData(text: string): string {
  return text
    .replace(member, (whole, name: string, colon: string) =>
      personalMembers.has(name) ? `"${name}"${colon}"${hidden}"` : whole,
    )
    .replaceAll(mobileNumber, hidden);
}
