"""Shows the other decisions the Estimators of contrib.learn as those of tf.estimator.

    decide(drafts, rules, unsafe=True)

A rule turns them into Estimators of tf.estimator, which other rules then rewrite. So the decisions
read a file as it is after the first rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from migrate.rewrite.engine.rule import Rule
from migrate.rewrite.program.drafts import Drafts

_RULE = "learn_estimators"


def decide(drafts: Drafts, rules: Sequence[Rule], unsafe: bool) -> None:
    """Replaces the texts of files with Estimators of contrib.learn.

    Args:
      drafts: The files. Gets the changed texts.
      rules: Rules that will be applied.
      unsafe: Whether changes that may alter results will be made too.
    """
    rules = [rule for rule in rules if rule.name == _RULE]
    if not rules or not unsafe:
        return
    for path in drafts.facts:
        if "learn" not in drafts.text(path):
            continue
        text = drafts.rewritten(path, rules)
        if text is not None:
            drafts.replace_text(path, text)
