"""The corpus of old programs, and the table of shares by verdict that is computed from it.

python -m tests.migrate.scan.corpus          writes the table in docs/scan.md
"""

import json
import os
import pathlib
from collections import Counter, defaultdict

from migrate.scan import scanner, symbols

_TESTS = pathlib.Path(__file__).parents[1]
FOLDER = _TESTS / "corpus"
PAGE = _TESTS.parents[1] / "docs" / "scan.md"
_BEGIN, _END = "<!-- shares: begin -->\n", "<!-- shares: end -->\n"


def usage():
    """Returns the number of uses and of repositories in real programs, by name."""
    return json.loads((FOLDER / "usage.json").read_text())


def scan():
    """Scans the corpus."""
    return scanner.scan_paths([str(FOLDER)], processes=1)


def found(of):
    """Returns the findings by file, in the format of expected.txt."""
    uses = defaultdict(list)
    for finding in of.findings:
        cell = f"{finding.cell}:" if finding.cell else ""
        path = os.path.relpath(finding.path, FOLDER).replace(os.sep, "/")
        uses[path].append(f"{cell}{finding.line} {finding.symbol.name}")
    return dict(uses)


def expected():
    """Returns the uses that were counted by hand, by file."""
    uses = {}
    for line in (FOLDER / "expected.txt").read_text().splitlines():
        if line.startswith("# "):
            uses[line[2:]] = []
        elif line:
            uses[list(uses)[-1]].append(line)
    return uses


def table():
    """Returns the shares by verdict in real programs and in the corpus, as a Markdown table."""
    names, uses = Counter(), Counter()
    for name, counted in usage().items():
        verdict = symbols.look_up(name).verdict
        names[verdict] += 1
        uses[verdict] += counted["uses"]
    own = Counter(finding.symbol.verdict for finding in scan().findings)
    lines = [
        "| verdict | names | uses | share of the uses | share of the corpus |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for verdict in symbols.VERDICTS:
        share, of_corpus = (100 * c[verdict] / c.total() for c in (uses, own))
        lines.append(
            f"| {verdict} | {names[verdict]:,} | {uses[verdict]:,} | {share:.1f} % "
            f"| {of_corpus:.1f} % |"
        )
    lines.append(f"| | {names.total():,} | {uses.total():,} | | {own.total():,} uses |")
    return "\n".join(lines) + "\n"


def table_of_the_page():
    """Returns the table in docs/scan.md."""
    return PAGE.read_text().partition(_BEGIN)[2].partition(_END)[0]


def main():
    """Updates the table in docs/scan.md."""
    before, _, rest = PAGE.read_text().partition(_BEGIN)
    PAGE.write_text(before + _BEGIN + table() + _END + rest.partition(_END)[2])


if __name__ == "__main__":
    main()
