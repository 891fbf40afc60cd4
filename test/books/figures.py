"""Every report of statements, reckoned apart from the program: python3 figures.py FOLDER EARLIER ORDER...

FOLDER has a file ACCOUNT.json for each wallet, with the rows as they were served, and currencies.json; EARLIER has the
same of another month. The orders are references that are known to have been sent. Prints JSON whose amounts are texts.
"""

import json
import re
import sys
from collections import defaultdict
from decimal import Decimal, getcontext
from pathlib import Path

getcontext().prec = 60


def number(value):
    return Decimal(0) if value in (None, "") else Decimal(value)


def read(folder):
    for path in sorted(folder.glob("*.json")):
        if path.stem != "currencies":
            yield path.stem, json.loads(path.read_text(), parse_float=Decimal, parse_int=Decimal)


def stem(reference):
    return re.sub(r"-(PAYIN|PAYOUT)$", "", reference)


def ids_of(row):
    tag = re.search(r"\[([^\[\]]+)\]$", row["narration"])
    return {stem(row["tranRefNo"])} | ({tag.group(1)} if tag else set())


def phone_in(text):
    for found in re.findall(r"\+?\d[\d ().-]{7,18}\d", text):
        digits = re.sub(r"[ ().-]", "", found)
        nine = re.fullmatch(r"(?:\+255|00255|255|0)?(\d{9})", digits)
        if nine and (len(digits) > 9 or digits[0] in "67") and not digits.startswith("00" + nine.group(1)[:1]):
            return "255" + nine.group(1)
    return None


def payer_of(row):
    name, account = row.get("senderAccountName") or "", row.get("senderAccountNo") or ""
    if name or account:
        return name, phone_in(account) or account
    return "", phone_in(row["narration"]) or row.get("paymentReference") or ""


def cash_of(folder):
    change = lambda row: number(row["amountCredited"]) - number(row["amountDebited"])
    is_fee = lambda row: row["tranRefNo"] != stem(row["tranRefNo"]) or row["narration"].upper().startswith("SERVICE FEE FOR REF:")
    figures = {}
    for account, rows in read(folder):
        if rows:
            moved = [(change(row), is_fee(row)) for row in rows]
            figures[account] = {
                "opening": number(rows[0]["balance"]) - change(rows[0]),
                "in": sum((each for each, fee in moved if not fee and each > 0), Decimal(0)),
                "out": -sum((each for each, fee in moved if not fee and each < 0), Decimal(0)),
                "fees": -sum((each for each, fee in moved if fee), Decimal(0)),
                "closing": number(rows[-1]["balance"]),
            }
    return figures


def main(folder, earlier, orders):
    currencies = json.loads((folder / "currencies.json").read_text())
    books = dict(read(folder))
    change = lambda row: number(row["amountCredited"]) - number(row["amountDebited"])
    is_fee = lambda row: row["tranRefNo"] != stem(row["tranRefNo"]) or row["narration"].upper().startswith("SERVICE FEE FOR REF:")
    cash, fees, flow = {}, {}, defaultdict(lambda: [0, Decimal(0), Decimal(0)])
    suffixes = {stem(row["tranRefNo"]): row["tranRefNo"] for rows in books.values() for row in rows if is_fee(row)}
    sides = defaultdict(list)
    for account, rows in books.items():
        for row in rows:
            if not is_fee(row):
                for each in ids_of(row):
                    sides[each].append((account, change(row)))

    def kind_of(account, row):
        if is_fee(row):
            return "fee"
        for each in ids_of(row):
            alike = [pair for pair in sides[each] if currencies[pair[0]] == currencies[account]]
            opposite = sum(1 for other, theirs in alike if other != account and theirs == -change(row))
            same = sum(1 for other, ours in alike if other == account and ours == change(row))
            if change(row) != 0 and opposite >= same:
                return "own transfer"
        suffix = suffixes.get(stem(row["tranRefNo"]), "")
        return "collection" if suffix.endswith("-PAYIN") else "payout" if suffix.endswith("-PAYOUT") else "other"

    for account, rows in books.items():
        plain = [row for row in rows if not is_fee(row)]
        taken = [row for row in rows if is_fee(row)]
        if rows:
            cash[account] = {
                "opening": number(rows[0]["balance"]) - change(rows[0]),
                "in": sum((change(row) for row in plain if change(row) > 0), Decimal(0)),
                "out": -sum((change(row) for row in plain if change(row) < 0), Decimal(0)),
                "fees": -sum((change(row) for row in taken), Decimal(0)),
                "closing": number(rows[-1]["balance"]),
                "rows": Decimal(len(rows)),
            }
        if taken:
            amounts = sum((abs(change(row)) for row in plain if stem(row["tranRefNo"]) in suffixes), Decimal(0))
            fees[account] = {"count": Decimal(len(taken)), "sum": cash[account]["fees"], "amounts": amounts}
        for row in rows:
            entry = flow[(kind_of(account, row), currencies[account])]
            entry[0] += 1
            entry[1 if change(row) > 0 else 2] += abs(change(row))
    customers, unmatched = defaultdict(lambda: [0, Decimal(0)]), defaultdict(lambda: [0, Decimal(0)])
    for account, rows in books.items():
        for row in rows:
            kind, payer = kind_of(account, row), payer_of(row)
            if change(row) > 0 and (kind == "collection" or (kind == "other" and any(payer))):
                entry = customers[" ".join((currencies[account], *payer))]
                entry[0] += 1
                entry[1] += change(row)
            if change(row) < 0 and kind not in ("fee", "own transfer") and not ids_of(row) & orders:
                entry = unmatched[account]
                entry[0] += 1
                entry[1] += change(row)
    compared = {}
    before = cash_of(earlier)
    for account, figures in cash_of(folder).items():
        for figure, second in figures.items():
            if account in before:
                first = before[account][figure]
                compared[f"{account} {figure}"] = {"first": first, "second": second, "difference": second - first}
    counted = lambda sums: {name: as_text({"count": Decimal(count), "sum": total}) for name, (count, total) in sums.items()}
    as_text = lambda figures: {name: format(value.normalize(), "f") for name, value in figures.items()}
    print(
        json.dumps(
            {
                "cash": {account: as_text(figures) for account, figures in cash.items()},
                "fees": {account: as_text(figures) for account, figures in fees.items()},
                "flow": {
                    " ".join(key): as_text({"count": Decimal(count), "in": came, "out": left})
                    for key, (count, came, left) in sorted(flow.items())
                },
                "customers": counted(customers),
                "open": counted(unmatched),
                "compare": {name: as_text(figures) for name, figures in compared.items()},
            }
        )
    )


main(Path(sys.argv[1]), Path(sys.argv[2]), set(sys.argv[3:]))
