"""Tests for subclasses of RunConfig as the config of an Estimator."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools, with_specs

RULES = [*tools.rule("modern", "estimators"), *tools.rule("modern", "canned_models")]
CLASS = """\
class Config(e.RunConfig):
    '''Saves often.'''
    @property
    def save_checkpoints_secs(self): return None
    @property
    def save_checkpoints_steps(self):
        return 10
"""


MODEL_FN = "def m(features, labels, mode): return make(features, mode)\n"


def _rewritten(text, **facts):
    text = with_specs.HEAD + with_specs.INPUT + MODEL_FN + text + "job.train(f, steps=1)\n"
    return fixed_point.rewrite(text, RULES, unsafe=True, plan=tools.plan(api="v2", **facts))


def test_constant_properties_are_the_settings():
    outcome = _rewritten(CLASS + "job = e.Estimator(m, 'a', config=Config())\n")
    assert "as_estimator.restore(job, 'a', save_steps=10)" in outcome.text
    assert "class Config" not in outcome.text


def test_properties_come_before_arguments():
    call = "Config(model_dir='b', save_checkpoints_steps=3, keep_checkpoint_max=2)"
    text = _rewritten(CLASS + f"job = e.Estimator(m, config={call})\n").text
    assert "as_estimator.restore(job, 'b', save_steps=10, keep=2)" in text


def test_a_property_that_sets_the_seed_is_a_reason():
    text = CLASS + "    @property\n    def tf_random_seed(self): return 3\n"
    outcome = _rewritten(text + "job = e.Estimator(m, 'a', config=Config())\n")
    assert any("with tf_random_seed" in made.reason for made in outcome.changes)


def test_a_class_with_other_uses_stays():
    text = CLASS + "print(Config().save_checkpoints_steps)\n"
    text += "job = e.Estimator(m, 'a', config=Config())\n"
    assert "class Config" in _rewritten(text).text
    text = CLASS + "job = e.Estimator(m, 'a', config=Config())\n"
    assert "class Config" in _rewritten(text, is_shared=True).text


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        ("    def __init__(self): super().__init__(tf_random_seed=1)\n", "line 13 of it"),
        ("    @property\n    def model_dir(self): return folder()\n", "not a property with"),
        ("    @property\n    def is_chief(self): return True\n", "sets is_chief"),
    ],
)
def test_other_members_are_refused(member, reason):
    outcome = _rewritten(CLASS + member + "job = e.Estimator(m, 'a', config=Config())\n")
    assert "e.Estimator(m" in outcome.text
    assert any(reason in said.reason for said in outcome.suggestions)


def test_an_element_of_a_dictionary_may_be_the_folder():
    text = (
        "def run(args):\n    {}job = e.LinearRegressor([], args['a'], warm_start_from=None)\n"
        "    job.train(f, steps=1)\njob = run"
    )
    assert "porting.restore(job, args['a']" in _rewritten(text.format("") + "\n").text
    # An element that may change is read only once.
    text = text.format("args['a'] = 'b'\n    ")
    assert "model_dir = args['a']" in _rewritten(f"{text}\n").text
