"""Tests for model_fns that are methods: their object, its state, and the lines of refusals."""

import pytest

from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.model_fns import NotUnderstood
from migrate.rewrite.model_fns.expansion import owners
from migrate.rewrite.model_fns.expansion.draft import Draft
from migrate.rewrite.model_fns.expansion.functions import inlining
from migrate.rewrite.model_fns.expansion.functions.helpers import Depth

PROGRAM = """\
import tensorflow as tf

def total(a, b):
    step = tf.train.get_global_step()
    return a + b + step

class Classifier:
    def __init__(self, rate):
        self.rate = rate
        self.units = [3]

    def model_fn(self, labels, out):
        self.sum = total(labels, out)
        {body}
        return self.sum

    def fit(self):
        {after}
"""


def prepared(body="pass", after="pass"):
    """Returns the model_fn after its helper has been inlined, which moves its lines."""
    file = SourceFile(PROGRAM.format(body=body, after=after))
    of_class = file.tree.body[-1]
    draft = owners.renamed(Draft.of(file, of_class.body[1]))
    draft = inlining.inlined(draft, Depth.LATE)
    return owners.without_state(draft, file)


def test_state_becomes_variables():
    draft = prepared()
    text = draft.file.text
    assert "    def model_fn(classifier, labels, out):" in text
    assert "        sum_ = labels + out + step\n" in text or "sum = labels + out + step\n" in text
    assert "self.sum" not in text


@pytest.mark.parametrize(
    ("body", "after", "reason"),
    [
        ("print(self)", "pass", "it uses classifier in line 14 as a whole"),
        ("self.layer(out)", "pass", r"self.layer\(\) in line 14 may create variables"),
        ("print(self.rate)", "self.rate = 1", "its attribute rate changes in line 18"),
        ("print(self.units)", "self.units.append(1)", "its attribute units changes in line 18"),
        ("print(self.units)", "self.units.__setitem__(0, 1)", "units changes in line 18"),
        ("pass", "print(self.sum)", "it sets an attribute that line 18 uses"),
    ],
)
def test_a_refusal_has_the_line_of_the_original_file(body, after, reason):
    with pytest.raises(NotUnderstood, match=reason):
        prepared(body, after)
