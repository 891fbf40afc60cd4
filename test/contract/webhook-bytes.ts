/** The documented webhook, typed by hand: the payload with its zeros, signed by three tools of other makers. */
export const documented = {
  key: "cGFydG5lci10ZXN0LWhhc2gta2V5LTAxMjM0NTY3ODk=",
  timestamp: "2025-09-15T12:34:56+03:00",
  signature: "a22Nsrb1NF4Q0OuZ/qS9nc3YRLOhbJy/2Y9fe5k2BBY=",
  payload:
    '{"event":"transaction.created","account":{"accountNo":"1234567890","accountName":"Business Account Ltd","bankId":"uuid-of-bank"},"transaction":{"id":"unique-transaction-id","transactionId":"bank-transaction-id-or-null","reference":"TXN-REF-123456","paymentReference":"PAY-REF-789","transactionDate":"2025-09-15T10:30:00+03:00","creditOrDebit":"CREDIT","currency":"TZS","amountCredit":50000.00,"amountDebit":0,"availableBalance":150000.00,"currentBalance":150000.00,"description":"Customer payment received"},"counterparty":null}',
} as const;

/** Its body, byte by byte. */
export const documentedBody =
  '{"timestamp":"2025-09-15T12:34:56+03:00","signature":"a22Nsrb1NF4Q0OuZ/qS9nc3YRLOhbJy/2Y9fe5k2BBY=","payload":"{\\"event\\":\\"transaction.created\\",\\"account\\":{\\"accountNo\\":\\"1234567890\\",\\"accountName\\":\\"Business Account Ltd\\",\\"bankId\\":\\"uuid-of-bank\\"},\\"transaction\\":{\\"id\\":\\"unique-transaction-id\\",\\"transactionId\\":\\"bank-transaction-id-or-null\\",\\"reference\\":\\"TXN-REF-123456\\",\\"paymentReference\\":\\"PAY-REF-789\\",\\"transactionDate\\":\\"2025-09-15T10:30:00+03:00\\",\\"creditOrDebit\\":\\"CREDIT\\",\\"currency\\":\\"TZS\\",\\"amountCredit\\":50000.00,\\"amountDebit\\":0,\\"availableBalance\\":150000.00,\\"currentBalance\\":150000.00,\\"description\\":\\"Customer payment received\\"},\\"counterparty\\":null}"}';
