/**
 * Months as people keep them. Each line has the bank's rows, the book's entries and how a person knows that they belong
 * together. A row is its day, its reference (`-` for none), its amount and its words; `&` separates rows that belong
 * together, and an empty side has none.
 */
export const months: Readonly<Record<string, string>> = {
  "an office pays its rent and its people": `
    1 RENT-10 -1200000 Office rent October | 1 RENT-10 -1200000 Rent | the same reference
    2 FT2601 -350000 Salary ASHA SAL-01 | 2 SAL-01 -350000 Asha | the salary's number is in the words
    2 FT2602 -410000 Salary JUMA SAL-02 | 2 SAL-02 -410000 Juma | again
    2 FT2603 -350000 Salary NEEMA SAL-03 | 2 SAL-03 -350000 Neema | the same amount as Asha's, and its own number
    2 FT2604 -500000 Salary BARAKA | 2 SAL-04 -500000 Baraka | only the amount and the day
    5 FT2605 -64000 LUKU token 4411 | 6 V-88 -64000 Electricity | a day later in the book
    9 FT2606 -23600 Water | 9 V-89 -23600 Dawasa | only the amount and the day
    15 FT2607 -118000 NSSF contribution | 15 V-90 -118000 NSSF | only the amount and the day
    20 FT2608 -75000 Internet TTCL invoice 7781 | 20 7781 -75000 Internet | a number in the words
    31 FT2609 -4500 Ledger fee | | a charge that nobody booked
    | 31 CHQ-77 -90000 Cleaner | a payment on its way
  `,
  "a shop is paid by mobile money": `
    1 C001 +5000 MPESA 255712000111 & 1 C002 +7500 MPESA 255712000222 & 1 C003 +2500 TIGO 255652000333 | 1 DAY-01 +15000 Takings | the day's takings
    2 C004 +4000 MPESA & 2 C005 +6000 AIRTEL | 2 DAY-02 +10000 Takings | the day's takings
    3 C006 +8000 MPESA & 3 C007 +1200 MPESA & 3 C008 +1200 MPESA | 4 DAY-03 +10400 Takings | booked the next morning
    4 C009 +99000 MPESA order SO-55 | 4 SO-55 +99000 Order | an order by its number
    5 C010 +1000 MPESA & 5 C011 +3000 MPESA | 5 DAY-05 +4000 Takings | the day's takings
    6 C012 +65000 MPESA SO-56 | 6 SO-56 +56000 Order | two digits were swapped
    9 C013 +2000 MPESA | 9 DAY-09 +2000 Takings | a day with one customer
    10 FT10 -15000 Stock from Karume | 10 PO-3 -15000 Karume | only the amount and the day
    12 C014 +30000 MPESA so-57 & 13 C015 +20000 MPESA SO-57 | 13 SO-57 +50000 Order | paid in two parts
    14 FT11 -8000 Refund SO-55 | 14 RF-1 -8000 Refund | only the amount and the day
  `,
  "a school collects its fees": `
    3 P01 +450000 School fees STU-1041 term 3 | 3 STU-1041 +450000 Amina | the pupil's number
    3 P02 +450000 School fees STU-1042 term 3 | 3 STU-1042 +450000 Daudi | the same amount, another pupil
    4 P03 +200000 STU-1043 first part & 11 P04 +250000 STU-1043 rest | 11 STU-1043 +450000 Eliza | in two parts
    5 P05 +900000 Fees STU-1044 and STU-1045 | 5 STU-1044 +450000 Fatuma & 5 STU-1045 +450000 Fatma | two children, one payment
    6 P06 +450000 SCHOOL FEES BY JOHN | 6 STU-1046 +450000 Grace | only the amount and the day
    7 P07 +450000 stu-1047 | 7 STU-1047 +450000 Hassan | in small letters
    12 P08 +50000 Bus STU-10471 | 12 STU-10471 +50000 Irene | a longer number, not Hassan's
    17 P09 +450000 STU-1048 | 17 STU-1048 +405000 Joyce | booked with two digits swapped
    20 P10 -2300000 Salaries teachers | 20 PAY-10 -2300000 Payroll | only the amount and the day
    25 P11 -180000 Maize 30 bags | 24 V-12 -180000 Kitchen | a day apart
    30 P12 -180000 Exercise books | 30 V-13 -180000 Books | the same amount, another day
  `,
  "fees are taken off, and booked in three ways": `
    1 K1 +100000 & 1 K1-PAYIN -2000 | 1 K1 +98000 | booked after the fee
    2 K2 +50000 | 2 K2 +50000 | booked before the fee
    2 K2-PAYIN -1000 | 2 K2-PAYIN -1000 | and the fee by its own reference
    3 K3 +30000 | 3 K3 +30000 | booked before the fee
    3 K3-PAYIN -600 | 3 K3 -600 | and the fee under the payment's reference
    4 K4 +20000 & 4 K4-PAYIN -400 | 4 K4 +19600 | after the fee again
    5 K5 +10000 | 5 K5 +10000 | before the fee
    5 K5-PAYIN -200 | | which nobody booked
    8 K6 -70000 | 8 K6 -70000 | a payout
    8 K6-PAYOUT -1500 | 9 V-1 -1500 Payout fee | its fee, by amount and day
    10 K7 +5000 & 10 K7-PAYIN -100 & 10 K7 +15000 & 10 K7-PAYIN -300 | 10 K7 +19600 | two parts after their fees
    12 K8 +44000 Order 12 | 12 K8 +44000 | the same reference
    15 K9 +61000 Invoice OR-9 & 15 K9-PAYIN -1220 | 16 OR-9 +59780 | after the fee, by its number
    20 K10 +83000 MPESA & 20 K10-PAYIN -1660 | 20 V-2 +81340 | after the fee, by amount and day
    23 K11 -40000 Guard week 40 & 23 K11-PAYOUT -800 | | nobody booked it
    | 3 40 -40000 Fuel voucher | which has nothing to do with week 40
  `,
  "the month is cut off at both ends": `
    1 CHQ-501 -60000 Cheque 501 | 09-29 CHQ-501 -60000 Supplier | written in September
    1 DEP-30 +80000 Deposit | 09-30 DEP-30 +80000 Deposit | deposited the evening before
    2 FT1 -45000 Fuel | 2 V-1 -45000 Fuel | only the amount and the day
    8 FT2 +310000 INV-900 | 8 INV-900 +310000 Customer | a number in the words
    14 FT3 +120000 INV 901 | 14 901 +120000 Customer | a number apart from its letters
    21 FT4 -33000 Stationery | 22 V-2 -33000 Stationery | a day apart
    30 FT5 -27000 Airtime | 31 V-3 -27000 Airtime | a day apart
    11-01 CHQ-502 -51000 Cheque 502 | 31 CHQ-502 -51000 Supplier | cleared in November
    11-02 FT7 -14000 Courier | 31 V-4 -14000 DHL | cleared in November, by amount
    31 FT8 +66000 INV-902 | 11-01 INV-902 +66000 Customer | booked in November
    | 31 CHQ-503 -19000 Supplier | still on its way
  `,
  "payments are split and joined": `
    1 A1 +300000 ORD-1 & 3 A2 +200000 ORD-1 | 3 ORD-1 +500000 | two bank rows, one invoice
    4 ORD-2 +70000 & 6 ORD-2 +30000 | 4 ORD-2 +100000 | the same reference twice
    7 ORD-3 +90000 | 7 ORD-3 +40000 & 7 ORD-3 +50000 | one bank row, two lines
    8 A3 +175000 ORD-4, ORD-5, ORD-6 | 8 ORD-4 +100000 & 8 ORD-5 +50000 & 8 ORD-6 +25000 | three invoices in one
    9 A4 +60000 ORD-7 | 9 ORD-7 +60000 | one and one
    10 A5 -240000 Wages week 1 | 10 W-1 -80000 & 10 W-2 -90000 & 10 W-3 -70000 | wages as one transfer
    14 A6 +55000 ORD-8 | 14 ORD-8 +55000 | one and one
    15 A7 +12345 ORD-9 | 15 ORD-9 +12345 | one and one
    17 A8 -240000 Wages week 2 | 17 W-4 -80000 & 17 W-5 -90000 & 17 W-6 -70000 | wages again
    20 A9 +1000 ORD-10 | 20 ORD-10 +1000 | one and one
    21 A10 +1000 ORD-1 | | an invoice that was paid already
  `,
  "somebody types badly": `
    1 T1 +48000 INV-3301 | 1 INV-3301 +84000 | the digits of the amount
    2 T2 +51000 INV-3302 | 2 INV-3320 +51000 | the digits of the number
    3 INV-3303 +75000 | 3 INV-3303 +75000 | right
    4 T4 -16500 Paper | 4 V-1 -15600 Paper | the digits of the amount
    5 T5 +22000 INV-3305 | 5 inv-3305 +22000 | in small letters
    8 INV-3306 +31000 | 8 inv-3306 +31000 | in small letters
    9 T7 +99500 inv3307 | 9 INV-3307 +99500 | without the dash
    10 T8 -7000 Taxi | 12 V-2 -7000 Taxi | two days apart
    11 T9 -12000 Lunch | 11 V-3 -12000 Lunch | right
    12 T10 +64000 INV-3308. | 12 INV-3308 +64000 | with a full stop
    15 T11 +18000 (INV-3309) | 15 INV-3309 +18000 | in brackets
    16 T12 +27000 INV-3310/PAYMENT | 16 INV-3310 +27000 | with words on it
    17 T13 +5000 INV-331 | 17 INV-331 +5000 | a short one, not 3310's
  `,
  "a charity is given small sums, all alike": `
    1 D1 +10000 Donation RAMADHANI R-1 | 1 R-1 +10000 Ramadhani | a receipt's number
    1 D2 +10000 Donation MARY R-2 | 1 R-2 +10000 Mary | a receipt's number
    1 D3 +10000 Donation PETER R-3 | 1 R-3 +10000 Peter | a receipt's number
    2 D4 +10000 Donation SAID R-4 | 2 R-4 +10000 Said | a receipt's number
    5 D5 +20000 Donation ANNA R-5 | 5 R-5 +20000 Anna | a receipt's number
    8 D6 +10000 Donation UNKNOWN | 8 R-6 +10000 Anonymous | only the amount and the day
    12 D7 +50000 Harambee & 12 D8 +20000 Harambee & 12 D9 +30000 Harambee | 12 HAR-1 +100000 Harambee | a collection of a day
    15 D10 -60000 Blankets | 15 V-1 -60000 Blankets | only the amount and the day
    20 D11 -15000 Transport | 21 V-2 -15000 Transport | a day apart
    25 D12 +10000 Donation JOEL R-7 | 25 R-7 +10000 Joel | a receipt's number
    28 D13 +10000 Donation ESTHER R-8 | 28 R-8 +10000 Esther | a receipt's number
  `,
  "references are used again and again": `
    1 RENT +500000 Tenant 1 | 1 RENT +500000 Tenant 1 | the same reference, the same day
    8 RENT +500000 Tenant 2 | 8 RENT +500000 Tenant 2 | the same reference, its own day
    15 RENT +500000 Tenant 3 | 15 RENT +500000 Tenant 3 | and again
    3 Z1 -40000 Guard WEEK-40 | 3 WEEK-40 -40000 Guard | a week's number
    10 Z2 -40000 Guard WEEK-41 | 10 WEEK-41 -40000 Guard | the next one
    17 Z3 -40000 Guard WEEK-42 | 17 WEEK-42 -40000 Guard | the next one
    24 Z4 -40000 Guard | 24 WEEK-43 -40000 Guard | by its day
    5 Z5 -18000 Garbage | 5 GARB -18000 | by its day
    19 Z6 -18000 Garbage | 19 GARB -18000 | by its day
    22 Z7 +75000 Deposit tenant 4 | 22 DEP-4 +75000 | by its day
    29 RENT +500000 Tenant 4 | | not booked
  `,
  "a merchant settles in bulk": `
    2 M1 +990000 SETTLEMENT BATCH B-201 | 2 B-201 +400000 Card & 2 B-201 +590000 Card | a batch of two
    3 M2 +250000 SETTLEMENT BATCH B-202 | 3 B-202 +250000 Card | a batch of one
    4 M3 +711000 Settlement | 4 S-1 +300000 & 4 S-2 +211000 & 4 S-3 +200000 | the day's sales
    5 M4 +128000 Settlement | 5 S-4 +64000 & 5 S-5 +64000 | the day's sales
    6 M5 +333000 Settlement | 6 S-6 +333000 | one sale
    9 M6 -90000 Chargeback B-201 | 9 CB-1 -90000 Chargeback | by amount and day
    10 M7 -5000000 To main account SWEEP-1 | 10 SWEEP-1 -5000000 | by its number
    11 M8 +77000 Settlement | 12 S-7 +77000 | a day apart
    12 M9 -2500 Terminal rent | 12 V-1 -2500 Terminal | by amount and day
    16 M10 -3000000 To main account SWEEP-2 | 16 SWEEP-2 -3000000 | by its number
    18 M11 +444000 Settlement B-203 | 18 B-203 +444000 | by its number
  `,
  "a farm buys and sells": `
    1 F1 -640000 Fertiliser YARA PO-71 | 1 PO-71 -640000 Yara | by its number
    2 F2 -120000 Seeds | 2 PO-72 -120000 Seed Co | by amount and day
    5 F3 -35000 Casual labour & 5 F4 -35000 Casual labour & 5 F5 -30000 Casual labour | 5 LAB-1 -100000 Labour | the day's wages
    9 F6 +1850000 Maize 50 bags S-11 | 9 S-11 +1850000 Maize | by its number
    10 F7 +92000 Eggs | 11 S-12 +92000 Eggs | a day apart
    12 F8 -410000 Diesel | 12 PO-73 -410000 Puma | by amount and day
    12 F9 +88000 Milk week 41 | 12 S-13 +88000 Milk | by amount and day
    19 F10 +91000 Milk week 42 | 19 S-14 +91000 Milk | by amount and day
    20 F11 -35000 Vet | 20 PO-74 -35000 Vet | by amount and day
    26 F12 +87500 Milk week 43 | 26 S-15 +87500 Milk | by amount and day
    29 F13 -275000 Tractor hire PO-75 | 29 PO-75 -275000 Hire | by its number
  `,
  "two customers pay alike, and nobody can tell": `
    3 Q1 +40000 MPESA | | one of two
    3 Q2 +40000 MPESA | | one of two
    | 3 N-1 +40000 Customer | for one of them
    | 4 N-2 +40000 Customer | for one of them
    5 Q3 +15000 N-3 | 5 N-3 +15000 Customer | by its number
    6 Q4 +26000 N-4 or N-5 | 6 N-4 +26000 Customer | the other one has another amount
    6 Q5 +62000 N-5 | 6 N-5 +62000 Customer | by its number
    9 Q6 +17000 MPESA | 9 N-6 +17000 Customer | by amount and day
    11 Q7 +5000 N-7 | 11 N-7 +5000 Customer | by its number
    12 Q8 -5000 Reversal of Q7 N-7 | 12 RV-1 -5000 Reversal | by amount and day
    15 Q9 +83000 MPESA | 16 N-8 +83000 Customer | a day apart
    20 Q10 +21000 N-9 | 20 N-9 +21000 Customer | by its number
    27 Q11 -9900 Airtime | 27 V-9 -9900 Airtime | by amount and day
  `,
  "a payment is missing in the book, and others come to its amount": `
    1 B1 -500000 Rent RENT-10 | 1 RENT-10 -500000 Rent | a number in the words
    8 B2 -133000 Cash taken at the counter | | which nobody booked
    | 8 RENT-MWANZA -100000 The rent in Mwanza | not paid yet
    | 8 POSHO-7 -33000 Lunch of week 41 | not paid yet
    15 B3 -47000 Wages | 15 - -20000 Wages of Asha & 15 - -27000 Wages of Juma | lines without a number of their own
    22 B4 +6000 MPESA & 22 B5 +3000 MPESA | 22 DAY-22 +9000 Takings | the day's takings
  `,
};
