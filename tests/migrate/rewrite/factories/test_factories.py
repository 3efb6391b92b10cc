"""Tests for calls of functions that make specs, configs and exporters in the same file."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools, with_specs

RULES = [*tools.rule("modern", "factories"), *with_specs.RULES]
SPECS = """\
def train_spec(input_fn, steps=10):
    return e.TrainSpec(input_fn, max_steps=steps)
def eval_spec(input_fn, *, throttle=60):
    '''Returns the spec.'''
    return e.EvalSpec(
        input_fn,
        steps=None,
        throttle_secs=throttle,
    )
"""


def _rewritten(text):
    text = with_specs.HEAD + with_specs.INPUT + text
    return fixed_point.rewrite(text, RULES, unsafe=True, plan=tools.plan(api="v2"))


def _after_job(text):
    """Returns the new code after the Estimator, which is the last statement but the given ones."""
    before, _, after = text.partition("#\n")
    outcome = _rewritten(before + with_specs.JOB + after)
    assert not [said for said in outcome.suggestions if not said.applicable], outcome.suggestions
    return outcome.text.partition("save_secs=600)\n")[2]


def _reasons(text):
    outcome = _rewritten(text)
    assert "as_estimator" not in outcome.text
    return " ".join(said.reason for said in outcome.suggestions)


def test_specs_get_the_arguments_and_the_defaults_of_their_functions():
    text = (
        SPECS + "#\ne.train_and_evaluate(job, train_spec(f, steps=7), eval_spec(f, throttle=5))\n"
    )
    assert _after_job(text) == (
        "as_estimator.train_and_evaluate(job, f, f, max_steps=7, throttle_secs=5)\n"
    )
    text = SPECS + "#\ntrain = train_spec(f)\ne.train_and_evaluate(job, train, eval_spec(f))\n"
    assert _after_job(text) == (
        "as_estimator.train_and_evaluate(job, f, f, max_steps=10, throttle_secs=60)\n"
    )


def test_a_function_without_other_calls_is_removed():
    text = SPECS + with_specs.JOB
    text += "e.train_and_evaluate(job, train_spec(f), e.EvalSpec(f))\nprint(eval_spec)\n"
    new_text = _rewritten(text).text
    assert "def train_spec" not in new_text
    assert "def eval_spec" in new_text


def test_statements_of_a_function_stand_before_its_call():
    text = """\
def specs(size):
    steps = size // 2
    train = e.TrainSpec(lambda: f(size), steps)
    evaluate = e.EvalSpec(f, None, 'a')
    return train, evaluate
#
size = 8
a, b = specs(size)
e.train_and_evaluate(job, a, b)
"""
    assert _after_job(text) == (
        "size = 8\n"
        "steps_ = size // 2\n"
        "as_estimator.train_and_evaluate(job, lambda: f(size), f, max_steps=steps_, "
        "eval_name='a')\n"
    )


def test_a_constant_argument_decides_between_branches():
    text = """\
def spec(mode, n):
    size = n + 1
    if mode == 'train':
        return e.TrainSpec(lambda: f(size), n)
    elif mode in ('eval', 'test'):
        return e.EvalSpec(lambda: f(size), None)
    else:
        raise ValueError(mode)
#
def run(n):
    e.train_and_evaluate(job, spec('train', n), spec('eval', n))
"""
    assert _after_job(text) == (
        "def run(n):\n"
        "    size = n + 1\n"
        "    size_ = n + 1\n"
        "    as_estimator.train_and_evaluate(job, lambda: f(size), lambda: f(size_), max_steps=n)\n"
    )


def test_the_mode_of_an_estimator_decides_between_branches():
    text = """\
def spec(mode):
    if mode == e.ModeKeys.TRAIN:
        spec = e.TrainSpec(f, 5)
    else:
        spec = e.EvalSpec(f, None)
    return spec
#
e.train_and_evaluate(job, spec(e.ModeKeys.TRAIN), spec(e.ModeKeys.EVAL))
"""
    assert _after_job(text) == "as_estimator.train_and_evaluate(job, f, f, max_steps=5)\n"


def test_a_global_variable_of_the_function_stays_one():
    text = """\
count = 0
def spec():
    global count
    count = 3
    return e.TrainSpec(f, count)
#
def run():
    '''Trains.'''
    print('begin')
    e.train_and_evaluate(job, spec(), e.EvalSpec(f, None))
"""
    assert _after_job(text) == (
        "def run():\n"
        "    '''Trains.'''\n"
        "    global count\n"
        "    print('begin')\n"
        "    count = 3\n"
        "    as_estimator.train_and_evaluate(job, f, f, max_steps=count)\n"
    )


def test_arguments_are_evaluated_once_and_in_order():
    text = """\
def spec(steps, input_fn):
    return e.TrainSpec(lambda: input_fn(), steps)
#
e.train_and_evaluate(job, spec(take(1), make(2)), e.EvalSpec(f, None))
"""
    assert _after_job(text) == (
        "steps_ = take(1)\n"
        "input_fn_ = make(2)\n"
        "as_estimator.train_and_evaluate(job, input_fn_, f, max_steps=steps_)\n"
    )


def test_an_argument_has_the_value_from_before_the_statements():
    text = """\
def spec(params, steps):
    params['steps'] = 2
    return e.TrainSpec(f, steps)
#
params = {'steps': 5}
e.train_and_evaluate(job, spec(params, params['steps']), e.EvalSpec(f, None))
"""
    assert _after_job(text) == (
        "params = {'steps': 5}\n"
        "steps_ = params['steps']\n"
        "params['steps'] = 2\n"
        "as_estimator.train_and_evaluate(job, f, f, max_steps=steps_)\n"
    )


def test_a_default_that_changes_later_is_refused():
    text = "n = 1\ndef spec(steps=n):\n    return e.TrainSpec(f, steps)\nn = 2\n" + with_specs.JOB
    text += "e.train_and_evaluate(job, spec(), e.EvalSpec(f))\n"
    assert "the default n of spec() is computed" in _reasons(text)


def test_exporters_and_configs_of_functions_are_seen():
    text = """\
def config(folder, steps=20):
    return e.RunConfig(folder, save_checkpoints_steps=min(steps, 15))
def exporter(keep=2):
    return e.LatestExporter('a', receive, exports_to_keep=keep)
def run(folder):
    job = e.Estimator(m, config=config(folder))
    spec = e.EvalSpec(f, None, exporters=[exporter()])
    e.train_and_evaluate(job, e.TrainSpec(f, 3), spec)
"""
    new_text = _rewritten(text).text
    assert "as_estimator.restore(job, folder, save_steps=min(20, 15))" in new_text
    assert "exporters=[as_estimator.LatestExporter('a', receive, exports_to_keep=2)]" in new_text


def test_a_config_that_may_set_a_seed_is_seen():
    text = """\
def config():
    return e.RunConfig(tf_random_seed=1)
settings = config()
"""
    text += "job = e.Estimator(m, 'a', settings)\ne.train_and_evaluate(job, e.TrainSpec(f, 3), "
    outcome = _rewritten(text + "e.EvalSpec(f, None))\n")
    (reason,) = (made.reason for made in outcome.changes if "tf_random_seed" in made.reason)
    assert "may set a strategy" not in reason


@pytest.mark.parametrize(
    ("function", "call", "reason"),
    [
        ("if mode: return e.TrainSpec(f, 1)\n    return e.TrainSpec(f, 2)", "spec(a)", "decide"),
        ("for _ in mode: return e.TrainSpec(f)", "spec(a)", "a statement of the kind for"),
        ("if mode == 1: return e.TrainSpec(f, 1)", "spec(2)", "returns nothing"),
        ("return e.TrainSpec(f, max_steps=mode)", "spec(*a)", "*args"),
        ("yield 1\n    return e.TrainSpec(f)", "spec(a)", "has state or yields"),
        ("class A: pass\n    return e.TrainSpec(f, A)", "spec(a)", "has state or yields"),
        ("x = [1]\n    return e.TrainSpec(f, x)", "(spec(a) if a else b)", "called later"),
        ("x = 1\n    return e.TrainSpec(lambda x: f(x), x)", "spec(a)", "also binds x"),
    ],
)
def test_other_functions_stay_with_a_reason(function, call, reason):
    text = f"def spec(mode):\n    {function}\n" + with_specs.JOB
    assert reason in _reasons(f"{text}e.train_and_evaluate(job, {call}, e.EvalSpec(f))\n")


def test_a_name_with_another_meaning_at_the_call_is_refused():
    text = (
        "steps = 5\n"
        "def spec():\n    return e.TrainSpec(f, steps)\n" + with_specs.JOB + "def run(steps):\n"
        "    e.train_and_evaluate(job, spec(), e.EvalSpec(f))\n"
    )
    assert "another meaning at its call" in _reasons(text)


def test_nothing_changes_if_the_estimator_stays_anyway():
    text = SPECS + with_specs.JOB + "use(job)\ne.train_and_evaluate(job, train_spec(f), spec)\n"
    assert "train_spec(f), spec)" in _rewritten(text).text


def test_nothing_changes_without_unsafe_and_the_change_is_suggested():
    text = with_specs.HEAD + with_specs.INPUT + SPECS + with_specs.JOB
    text += "e.train_and_evaluate(job, train_spec(f), eval_spec(f))\n"
    (said,) = tools.check_noop(text, RULES, api="v2").suggestions
    assert said.rule.name == "factories"
    assert said.applicable


def test_calls_of_other_trainings_stay():
    text = SPECS + with_specs.JOB + "e.train_and_evaluate(job, train_spec(f), eval_spec(f))\n"
    text += "def other(job, spec):\n    e.train_and_evaluate(job, train_spec(f), spec)\n"
    assert "e.train_and_evaluate(job, train_spec(f), spec)" in _rewritten(text).text


def test_a_call_that_no_estimator_needs_is_not_reported():
    text = (
        "def spec(mode):\n    if mode: return e.TrainSpec(f)\n    return e.EvalSpec(f)\nspec(a)\n"
    )
    assert _rewritten(text).suggestions == ()


def test_the_function_of_an_estimator_takes_its_model_fn():
    text = """\
def m(features, labels, mode):
    return other(features, mode)
def config():
    return e.RunConfig(save_checkpoints_steps=4)
def make(model_fn, folder):
    return e.Estimator(model_fn, folder, config=config())
job = make(m, 'a')
e.train_and_evaluate(job, e.TrainSpec(f, 3), e.EvalSpec(f, None))
"""
    new_text = _rewritten(text).text
    assert "as_estimator.restore(" in new_text
    assert "save_steps=4" in new_text


def test_a_model_fn_that_another_function_trains_becomes_a_keras_model():
    text = """\
def model_fn(features, labels, mode):
    out = tf.compat.v1.layers.dense(features["a"], 1)
    if mode == "infer":
        return e.EstimatorSpec(mode, {"out": out})
    loss = tf.reduce_mean((out - labels) ** 2)
    train_op = tf.compat.v1.train.AdamOptimizer().minimize(
        loss, tf.compat.v1.train.get_global_step())
    return e.EstimatorSpec(mode, None, loss, train_op)
def make(model_fn, folder):
    return e.Estimator(model_fn, folder)
def run():
    job = make(model_fn, "a")
    job.train(f, steps=1)
"""
    applied = [*RULES, *tools.rule("modern", "model_fns"), *tools.rule("modern", "estimators")]
    text = with_specs.HEAD + with_specs.INPUT + text
    new_text = fixed_point.rewrite(text, applied, unsafe=True, plan=tools.plan(api="v2")).text
    assert "job = Model()" in new_text
    assert "def make(" not in new_text


def test_a_model_fn_with_losses_of_a_graph_stays():
    text = """\
def model_fn(features, labels, mode):
    model = make()
    return head(model(features), model.get_losses_for(None))
job = e.Estimator(model_fn, "a")
e.train_and_evaluate(job, e.TrainSpec(f), e.EvalSpec(f))
"""
    assert "get_losses_for in line 7 exists only for layers of a session" in _reasons(text)
    asked = text.replace("model.get_losses_for(None)", "losses(model, 'get_losses_for')")
    assert "as_estimator.train_and_evaluate(" in _rewritten(asked).text
