"""Tests for checks and the verdict of all of them."""

import dataclasses
import json

import numpy as np

from migrate import equivalence


def test_no_checks_are_no_proof():
    assert equivalence.verdict([]) == equivalence.INCONCLUSIVE


def test_one_difference_decides_and_one_open_check_leaves_the_verdict_open():
    good = equivalence.tost("x", "a", "b", [1.0, 1.1], [1.0, 1.1], margin=10)
    open_ = dataclasses.replace(good, outcome=equivalence.INCONCLUSIVE)
    bad = dataclasses.replace(good, outcome=equivalence.DIFFERENT)
    assert equivalence.verdict(iter([good])) == equivalence.EQUIVALENT
    assert equivalence.verdict([good, open_]) == equivalence.INCONCLUSIVE
    assert equivalence.verdict([good, open_, bad]) == equivalence.DIFFERENT


def test_check_becomes_plain_json():
    check = equivalence.exact("w", "a", "b", {"k": np.ones(2)}, {"k": np.ones(2)})
    entry = json.loads(json.dumps(check.to_dict(), allow_nan=False))
    contract = {"name", "tier", "a", "b", "statistic", "limit", "outcome", "more_seeds"}
    assert contract < set(entry)
    assert entry["outcome"] == equivalence.EQUIVALENT
