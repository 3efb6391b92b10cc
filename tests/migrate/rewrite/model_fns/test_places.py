"""Tests for model_fns that are methods or inner functions: refusals and their reasons."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import model_fn_programs, tools


def _outcome(name, old, new, **facts):
    text = model_fn_programs.ALL[name].replace("import tensorflow as tf", "")
    text = f"from legacy import estimator\nimport tensorflow.compat.v1 as tf\n{text}"
    text = text.replace("tf.estimator", "estimator")
    changed = text.replace(old, new)
    assert changed != text or not old
    rule = tools.rule("modern", "model_fns")
    return fixed_point.rewrite(changed, rule, unsafe=True, plan=tools.plan(api="v1", **facts))


@pytest.mark.parametrize("name", ["methods", "closure"])
def test_the_base_is_understood(name):
    assert _outcome(name, "", "").changes


STEP = "def fit(self, input_fn, steps):\n"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("class Classifier:", "class Classifier(Base):", "is derived from another one"),
        ("def input_fn", "class Other(Classifier):\n    pass\n\ndef input_fn", "is derived from"),
        (STEP, f"{STEP}        self.rate = 0.1\n", "attribute rate changes in line"),
        (STEP, f"{STEP}        self.units.append(3)\n", "attribute units changes in line"),
        (STEP, f"{STEP}        print(self.logits)\n", "it sets an attribute that line"),
        ("self.units = units", "self.__dict__.update(units=units)", "attribute units is unknown"),
        ("self.SCALE * ", "self.scale() * ", "may create variables"),
        ("self.SCALE * ", "scale(self) * ", "as a whole"),
        (
            "self.rate = rate\n",
            "pass\n",
            "attribute rate is unknown",
        ),
        (
            "    def model_fn(self,",
            "    @decorated\n    def model_fn(self,",
            "has a decorator",
        ),
        (
            'self.job = estimator.Estimator(self.model_fn, "here")\n',
            'self.job = estimator.Estimator(self.model_fn, "here")\n'
            "        self.rate = self.rate * 2\n",
            "set after the Estimator is made",
        ),
    ],
)
def test_other_methods_are_left_to_the_bridge(old, new, reason):
    outcome = _outcome("methods", old, new)
    assert not outcome.changes
    assert reason in outcome.suggestions[0].reason


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"changed_elsewhere": frozenset(["rate"])}, "another file changes the attribute rate"),
        ({"changed_elsewhere": frozenset(["*"])}, "another file changes the attribute"),
        ({"changed_elsewhere": frozenset(["Classifier"])}, "another class is derived"),
    ],
)
def test_other_files_may_change_the_object(facts, reason):
    outcome = _outcome("methods", "", "", **facts)
    assert not outcome.changes
    assert reason in outcome.suggestions[0].reason


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "    return model_fn\n",
            "    rate = 1.0\n    return model_fn\n",
            "reads rate, a variable",
        ),
        ("    return model_fn\n", "    return wrap(model_fn)\n", "not a function of"),
        ("job = ", "other = make_model_fn(1, 1)\njob = ", "has other uses than to make"),
        ("    scale =", "    def more():\n        nonlocal rate\n    scale =", "reads rate"),
    ],
)
def test_other_inner_functions_are_left_to_the_bridge(old, new, reason):
    outcome = _outcome("closure", old, new)
    assert not outcome.changes
    assert reason in outcome.suggestions[0].reason
