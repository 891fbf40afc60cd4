"""Cash, fees, flow and customers of statements, reckoned apart from the program: python3 figures.py FOLDER

FOLDER has a file ACCOUNT.json for each wallet, with the rows as they were served, and currencies.json. Prints JSON
whose amounts are texts.
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


def main(folder):
    currencies = json.loads((folder / "currencies.json").read_text())
    books = dict(read(folder))
    change = lambda row: number(row["amountCredited"]) - number(row["amountDebited"])
    is_fee = lambda row: row["tranRefNo"] != stem(row["tranRefNo"]) or row["narration"].upper().startswith("SERVICE FEE FOR REF:")
    cash, fees, flow = {}, {}, defaultdict(lambda: [0, Decimal(0), Decimal(0)])
    suffixes = {stem(row["tranRefNo"]): row["tranRefNo"] for rows in books.values() for row in rows if is_fee(row)}
    sides = defaultdict(dict)
    for account, rows in books.items():
        for row in rows:
            if not is_fee(row):
                for each in ids_of(row):
                    sides[each][account] = change(row)

    def kind_of(account, row):
        if is_fee(row):
            return "fee"
        for each in ids_of(row):
            if any(other != account and theirs * change(row) < 0 for other, theirs in sides[each].items()):
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
            }
        )
    )


main(Path(sys.argv[1]))
