"""What the page says of documents, and what the second checker says: many in one call."""

from __future__ import annotations

from typing import NamedTuple

from weightlab.checker import Declared, FalseClaimError, WrongInputError, check

ASKED = """cases => {
  const own = window.weightlabPage;
  const read = new Map();
  const payloadOf = ({ table, lower, weights, complete, drop }) => {
    const sheet = own.sheetOf(table, "t.csv");
    const { columns } = own.recognised(sheet);
    for (const one of columns) {
      one.lower = lower.includes(one.name);
      one.weight = new Map(weights).get(one.name) || "1";
      if (drop.includes(one.name)) Object.assign(one, { role: "out", silent: false });
    }
    const payload = own.payloadOf(sheet, columns, { complete, offers: own.page.told.offers });
    return { payload, declared: own.flagsOf(sheet, columns).length > 0 };
  };
  return cases.map(({ text, ...beside }) => {
    const key = JSON.stringify(beside);
    if (beside.table !== null && !read.has(key)) read.set(key, payloadOf(beside));
    const { payload, declared } = read.get(key) || { payload: null, declared: false };
    const steps = [...own.checks({ texts: [text], payload, declared })];
    return steps.find((one) => one).found.map(({ holds, sentence }) => [holds, sentence]);
  });
}"""


class Case(NamedTuple):
    """A document's text, the table beside it, if any, and what is declared of that."""

    text: str
    table: str | None = None
    declared: Declared = Declared()


def by_checker(case):
    """Return what the second checker says: True, False, or None where it leaves something open; and its words."""
    try:
        report = check(*case)
    except (FalseClaimError, WrongInputError) as error:
        return False, str(error)
    return (True if report.code == 0 else None), "\n".join(report.lines)


def by_page(page, cases):
    """Return the same as the page says it, of all cases in one call."""
    asked = [
        {
            "text": case.text,
            "table": case.table,
            "lower": case.declared.lower,
            "drop": case.declared.drop,
            "weights": [[task, str(weight)] for task, weight in case.declared.weights.items()],
            "complete": case.declared.complete is True,
        }
        for case in cases
    ]
    found = []
    for results in page.evaluate(ASKED, asked):
        holds = [one for one, _ in results]
        words = "\n".join(sentence for _, sentence in results)
        found.append((False if False in holds else None if None in holds else True, words))
    return found


def compared(page, cases):
    """Return each case of which the two say different things, with the words of both; and what there is to be said."""
    told = by_page(page, cases)
    pairs = [(case, own, by_checker(case)) for case, own in zip(cases, told, strict=True)]
    return [one for one in pairs if one[1][0] is not one[2][0]], {holds for holds, _ in told}
