"""Rewrites Estimator-era programs where the change can be proven safe.

    python -m migrate rewrite --to=legacy PATH...            shows what would change, as a diff
    python -m migrate rewrite --to=legacy --write PATH...    changes the files
    python -m migrate rewrite --to=modern --keras=3 PATH...  goes on to Keras 3
    python -m migrate rewrite --to=modern --list-rules       lists the rules

--to=legacy changes imports and names, so that a program runs on today's TensorFlow with `legacy` as
a plain import. --to=modern goes on to Keras, tf.data and tf.distribute. Its Keras is tf_keras, that
is, Keras 2. With --keras=3, programs go on to Keras 3 if all their names can. PATH is a Python
file, a notebook, or a folder of them. In folders, files that .gitignore names and files that tools
generated are skipped.

The command detects whether a program is written for TensorFlow 1 or 2 by the names in its files,
like `python -m legacy.run`, and prints its decision on standard error. --api=v1 and --api=v2 set
the version for all programs.

A rule that cannot prove a change safe only suggests it. --unsafe makes such changes too. A comment
`# migrate: ignore[RULE]` excludes its statement from one rule, and `# migrate: ignore` from all.

Exit codes: 0 success, 1 a file failed or, with --check, would be rewritten, 2 misuse.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from migrate import command_line
from migrate.rewrite import rules
from migrate.rewrite.engine.rule import Rule
from modern.process import cli, extras


def main(argv: Sequence[str]) -> int:
    """Runs the command.

    Args:
      argv: Arguments of the command.

    Returns:
      The exit code.

    Raises:
      cli.UsageError: An argument is wrong.
    """
    options = _parser().parse_args(argv)
    if options.list_rules:
        _print_rules(_directions(options) if options.to else rules.DIRECTIONS)
        return 0
    if not options.to:
        raise cli.UsageError("name the direction: --to=legacy or --to=modern.")
    if options.keras == "3" and options.to != "modern":
        raise cli.UsageError("--keras=3 needs --to=modern.")
    if not options.paths:
        raise cli.UsageError("name the files, notebooks or folders to rewrite.")
    selected_rules = _selected_rules(options)
    extras.check("migrate", "libcst")

    from migrate.rewrite.program import run

    return run.run(
        options.paths,
        selected_rules,
        mode="write" if options.write else "check" if options.check else "diff",
        unsafe=options.unsafe,
        api=options.api,
    )


def _parser() -> argparse.ArgumentParser:
    parser = command_line.parser("rewrite", __doc__)
    add = parser.add_argument
    add("paths", nargs="*", metavar="PATH", help="a Python file, a notebook, or a folder")
    add("--to", choices=("legacy", "modern"), help="where to")
    add(
        "--keras",
        choices=("2", "3"),
        default="2",
        help="Keras of --to=modern: 2 is tf_keras, 3 is Keras 3",
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--diff", action="store_true", help="show what would change (the default)")
    mode.add_argument(
        "--check", action="store_true", help="only report whether anything would change"
    )
    mode.add_argument("--write", action="store_true", help="change the files")
    add(
        "--api",
        choices=("auto", "v1", "v2"),
        default="auto",
        help="the TensorFlow version of the programs (auto: detected from the names that they use)",
    )
    add(
        "--only",
        metavar="RULE",
        action="append",
        default=[],
        help="run only this rule (repeatable)",
    )
    add("--skip", metavar="RULE", action="append", default=[], help="skip this rule (repeatable)")
    add("--list-rules", action="store_true", help="list the rules and exit")
    add("--unsafe", action="store_true", help="also make the changes that are only suggested")
    return parser


def _selected_rules(options: argparse.Namespace) -> list[Rule]:
    """Returns the rules that --only and --skip select."""
    all_rules = [rule for to in _directions(options) for rule in rules.all_rules(to)]
    names_of_option = {"only": _names(options.only), "skip": _names(options.skip)}
    rule_names = {rule.name for rule in all_rules}
    for option, names in names_of_option.items():
        for name in names:
            if name not in rule_names:
                raise cli.UsageError(
                    f"--{option}={name}: --to={options.to} has no such rule. The rules are: "
                    f"{', '.join(sorted(rule_names))}."
                )
    only, skip = names_of_option["only"] or rule_names, names_of_option["skip"]
    return [rule for rule in all_rules if rule.name in only and rule.name not in skip]


def _directions(options: argparse.Namespace) -> list[str]:
    """Returns the directions of the rules, in the order in which they are applied."""
    return [options.to, "keras3"] if options.keras == "3" else [options.to]


def _names(values: Sequence[str]) -> list[str]:
    return [name for value in values for name in value.split(",") if name]


def _option(to: str) -> str:
    return "--to=modern --keras=3" if to == "keras3" else f"--to={to}"


def _print_rules(directions: Sequence[str]) -> None:
    for to in directions:
        for rule in rules.all_rules(to):
            kind = "safe" if rule.safe else "mostly suggested"
            print(f"{rule.name} ({_option(to)}, {kind})\n    {rule.message}\n    {rule.source}")
    print("docs/rules.md has an example of each.", file=sys.stderr)
