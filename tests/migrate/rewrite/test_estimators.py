"""Tests for Estimators with a bridged model_fn: refusals with reasons, and whole old programs."""

import pytest

from migrate.rewrite import rules
from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.oracle import compare

ESTIMATORS = tools.rule("modern", "estimators")
HEAD = """\
from legacy import estimator as tf_estimator
import tensorflow as tf
def input_fn():
    return tf.data.Dataset.range(3)
"""


def _said(text, **facts):
    outcome = tools.check_noop(HEAD + text, ESTIMATORS, **{"api": "v2", **facts})
    (made,) = outcome.suggestions
    return made


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tf_estimator.Estimator(model_fn).train(input_fn)", "no name of its own"),
        ("jobs = {}\njobs['a'] = tf_estimator.Estimator(model_fn)", "kept in something else"),
        ("job = tf_estimator.Estimator(model_fn); job.train(input_fn)", "more stands"),
        ("job = None\njob = tf_estimator.Estimator(model_fn)", "line 5 may be something else"),
        ("job = tf_estimator.Estimator(model_fn)\nuse(job)", "passed on in line 6"),
        ("job = tf_estimator.Estimator(model_fn)\nprint(job.config)", "has no like"),
        ("job = tf_estimator.Estimator(f)\nx = job.train(input_fn)", "is used in line 6"),
        ("job = tf_estimator.Estimator(**options)", "by * or **"),
        ("job = tf_estimator.Estimator(model_fn, warm_start_from='old')", "other weights"),
        (
            "job = tf_estimator.Estimator(f)\n"
            "job.train(input_fn, hooks=[tf.compat.v1.train.FeedFnHook(a)])",
            "recipes session_run_hook",
        ),
        ("job = tf_estimator.Estimator(f)\njob.evaluate(input_fn, None, [], 'a')", "given"),
        (
            "job = tf_estimator.tpu.TPUEstimator(f, embedding_config_spec=e)\njob.train(input_fn)",
            "embeddings are a TPU's",
        ),
        (
            "job = tf_estimator.tpu.TPUEstimator(f)\njob.train(lambda config, params: config)",
            "with arguments",
        ),
        ("job = tf_estimator.Estimator(f)\njob.train(lambda mode: mode)", "with arguments"),
        (
            "def f():\n  return 1, 2\njob = tf_estimator.Estimator(m)\njob.train(f)",
            "returns tensors",
        ),
        (
            "def f(data):\n  def g():\n    return data.make_one_shot_iterator().get_next()\n"
            "  return g\njob = tf_estimator.Estimator(m)\njob.train(f(data))",
            "returns tensors",
        ),
        (
            "def f(x):\n  return x, 2\njob = tf_estimator.Estimator(m)\njob.train(lambda: f(1))",
            "returns tensors",
        ),
        (
            "def f(x):\n  return tf_estimator.inputs.numpy_input_fn(x, shuffle=a)\n"
            "job = tf_estimator.Estimator(m)\njob.train(f(x))",
            "returns tensors",
        ),
        (
            "def f(input_context):\n  return 1\njob = tf_estimator.Estimator(f)\njob.train(f)",
            "takes input_context",
        ),
        (
            "class A:\n  def f(self):\n    return tf_estimator.inputs.numpy_input_fn("
            "x, num_threads=4)\njob = tf_estimator.Estimator(m)\njob.train(A().f())",
            "numpy_input_fn in line 7 may be it",
        ),
        ("job = tf_estimator.Estimator(model_fn, config=make())", "not understood"),
        ("job = tf_estimator.Estimator(model_fn)\njob.latest_checkpoint()", "no model_dir"),
        ("job = tf_estimator.Estimator(f)\njob.train(g(job.model_dir))", "given itself"),
    ],
)
def test_what_is_not_understood_is_left_to_a_person(text, reason):
    made = _said(text)
    assert reason in made.reason
    assert not made.applicable


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("from data import f\njob = tf_estimator.Estimator(m)\njob.train(f)", "Dataset"),
        (
            "def f():\n  data = tf.data.Dataset.range(3)\n  if a:\n    data = None\n  return data\n"
            "job = tf_estimator.Estimator(m)\njob.train(f)",
            "Dataset",
        ),
        (
            "def f():\n  step = tf.train.get_global_step()\n  return tf.data.Dataset.range(step)\n"
            "job = tf_estimator.Estimator(m)\njob.train(f)",
            "tf.train.get_global_step",
        ),
        ("import os\nc = os.environ['TF_CONFIG']\njob = tf_estimator.Estimator(m)", "TF_CONFIG"),
        ("tf.compat.v1.disable_v2_behavior()\njob = tf_estimator.Estimator(m)", "TensorFlow 2"),
        (
            "c = tf_estimator.RunConfig('model', tf_random_seed=1)\n"
            "job = tf_estimator.Estimator(m, config=c)",
            "tf_random_seed",
        ),
        ("def f(config):\n  job = tf_estimator.Estimator(m, config=config)", "RunConfig"),
        (
            "def m(features, labels, mode):\n  a = b(features)\n"
            "  tf.compat.v1.summary.scalar('a', a)\n"
            "  return tf_estimator.EstimatorSpec(mode, loss=a)\njob = tf_estimator.Estimator(m)",
            "its summaries (line 7) go",
        ),
        (
            "tf.compat.v1.disable_v2_behavior()\njob = tf_estimator.Estimator(m)\n"
            "log = tf.compat.v1.train.LoggingTensorHook(['a'], 9)\n"
            "job.train(input_fn, hooks=[log])",
            "not seen; what it logged is not logged any more",
        ),
        (
            "job = tf_estimator.Estimator(m, 'model')\nwhile True:\n  job.evaluate(input_fn)",
            "in a loop",
        ),
    ],
)
def test_what_may_compute_something_else_is_only_suggested(text, reason):
    made = _said(text)
    assert reason in made.reason
    assert made.applicable


def test_a_program_of_tensorflow_1_is_only_rewritten_with_unsafe():
    assert "TensorFlow 2" in _said("job = tf_estimator.Estimator(m)", api="v1").reason


def test_each_reason_is_said():
    text = (
        "a = tf_estimator.Estimator(m, 'model', tf_estimator.RunConfig(tf_random_seed=1))\n"
        "b = tf_estimator.Estimator(m, 'model')\n"
    )
    outcome = tools.check_noop(HEAD + text, ESTIMATORS, api="v1")
    first, second = (made.reason for made in outcome.suggestions)
    for reason in ("TensorFlow 2", "same model_dir", "tf_random_seed"):
        assert reason in first
        assert (reason in second) == (reason != "tf_random_seed")


def test_two_estimators_with_one_folder_are_only_suggested():
    text = HEAD + "a = tf_estimator.Estimator(m, 'model')\nb = tf_estimator.Estimator(n, 'model')\n"
    outcome = tools.check_noop(text, ESTIMATORS, api="v2")
    assert ["model_dir" in made.reason for made in outcome.suggestions] == [True, True]


def test_an_estimator_that_another_file_may_import_is_only_suggested():
    text = "job = tf_estimator.Estimator(m)\n"
    assert "import it" in _said(text, is_shared=True).reason
    made = f"{HEAD}def main():\n    {text}"
    found = fixed_point.rewrite(made, ESTIMATORS, plan=tools.plan(api="v2", is_shared=True))
    assert found.changes


def test_a_canned_estimator_whose_folder_is_computed_is_left_alone():
    text = HEAD + "job = tf_estimator.LinearRegressor(columns, make_folder())\n"
    outcome = tools.check_noop(text, tools.rule("modern", "canned_estimators"), api="v2")
    assert "give it a name" in outcome.suggestions[0].reason


def test_names_of_other_scopes_are_others():
    text = HEAD + (
        "def first():\n    job = tf_estimator.Estimator(m)\n    job.train(input_fn)\n"
        "def second():\n    job = tf_estimator.Estimator(n)\n    job.train(input_fn)\n"
        "job = first()\n"
    )
    outcome = fixed_point.rewrite(text, ESTIMATORS, plan=tools.plan(api="v2"))
    assert outcome.text.count("bridge.KerasModelFn(") == 2
    for declared in ("global", "nonlocal"):
        inner = f"def g():\n        {declared} job\n        job = None\n"
        text = f"{HEAD}def f():\n    {inner}    job = tf_estimator.Estimator(m)\n"
        outcome = fixed_point.rewrite(text, ESTIMATORS, plan=tools.plan(api="v2"))
        is_other = declared == "global"
        assert ("bridge.KerasModelFn(" in outcome.text) == is_other, declared


def test_what_may_be_a_tpu_estimator_or_another_is_left_alone():
    text = (
        "if on_tpu:\n  job = tf_estimator.tpu.TPUEstimator(f)\n"
        "else:\n  job = tf_estimator.Estimator(f)\njob.train(input_fn)\n"
    )
    outcome = tools.check_noop(HEAD + text, ESTIMATORS, unsafe=True, api="v2")
    assert ["for a TPUEstimator" in made.reason for made in outcome.suggestions] == [True, True]


def test_a_tpu_that_a_program_may_ask_for_is_named():
    text = "job = tf_estimator.tpu.TPUEstimator(f{})\njob.train(input_fn)\n"
    told = {
        given: "use_tpu" in fixed_point.rewrite(
            HEAD + text.format(given), ESTIMATORS, unsafe=True, plan=tools.plan(api="v2")
        ).text
        for given in ("", ", use_tpu=flags.use_tpu", ", use_tpu=False")
    }  # fmt: skip
    assert [*told.values()] == [True, True, False]


@pytest.mark.parametrize(
    ("before", "given", "expected"),
    [
        ("steps = 3", "steps=steps", "take(steps)"),
        ("steps = None\nif x:\n  steps = 3", "steps=steps", "take(-1 if steps is None else steps)"),
        ("steps = None", "max_steps=steps", "train(job, input_fn, max_steps=steps)"),
        (
            "flags.DEFINE_integer('steps', None, 'How many.')",
            "max_steps=FLAGS.steps",
            "train(job, input_fn, max_steps=FLAGS.steps)",
        ),
        *(
            (
                f"parser.add_argument({defined})\nargs = parser.parse_args()",
                "steps=args.last_steps",
                f"take({taken})",
            )
            for defined, taken in (
                ("'--last-steps', type=int", "-1 if args.last_steps is None else args.last_steps"),
                ("'-n', dest='last_steps'", "-1 if args.last_steps is None else args.last_steps"),
                ("'--last_steps', default=3", "args.last_steps"),
                ("'--last_steps', required=True", "args.last_steps"),
            )
        ),
    ],
)
def test_steps_that_may_be_none_are_all(before, given, expected):
    text = f"{HEAD}{before}\njob = tf_estimator.Estimator(f)\njob.train(input_fn, {given})\n"
    plan = tools.plan(api="v2")
    assert expected in fixed_point.rewrite(text, ESTIMATORS, unsafe=True, plan=plan).text


def test_an_export_below_the_folder_of_another_estimator_stays_there():
    text = f"{HEAD}job = tf_estimator.Estimator(m, 'a')\njob.export_saved_model("
    text += "my_job.model_dir + job.model_dir, f)\n"
    outcome = fixed_point.rewrite(text, ESTIMATORS, plan=tools.plan(api="v2"))
    assert "as_estimator.export(job, my_job.model_dir + 'a', f)" in outcome.text


def test_an_estimator_of_tensorflow_itself_is_to_go_to_legacy_first():
    text = "import tensorflow as tf\njob = tf.estimator.Estimator(f)\n"
    outcome = tools.check_noop(text, ESTIMATORS)
    assert "--to=legacy" in outcome.suggestions[0].reason


@pytest.mark.parametrize(
    ("input_fn", "call"),
    [
        ("make(3)", "make(3)()"),
        ("lambda: make(3)()", "make(3)()"),
        ("functions", 'functions(mode="train", params=settings)'),
        ("lambda: (tf.data.Dataset\n .range(3))", "(tf.data.Dataset\n .range(3))"),
    ],
)
def test_input_functions_are_called_as_an_estimator_calls_them(input_fn, call):
    text = HEAD + (
        "def make(count):\n    def made():\n        return tf.data.Dataset.range(count)\n"
        "    return made\n"
        "def functions(params, mode):\n    return tf.data.Dataset.range(params)\n"
        "settings = 3\n"
        "job = tf_estimator.Estimator(f, params=settings)\n"
    )
    outcome = fixed_point.rewrite(
        f"{text}job.train({input_fn})\n", ESTIMATORS, plan=tools.plan(api="v2")
    )
    assert f"\njob.fit({call}, callbacks=as_estimator.callbacks(job), verbose=2)\n" in outcome.text
    assert outcome.suggestions == ()


def test_a_folder_that_is_computed_is_computed_once():
    tools.check_transformed(
        HEAD + "if a:\n"
        "    job = tf_estimator.Estimator(f, make_folder())  # the job\n"
        "    job.train(input_fn, max_steps=int(n) + 1)  # trains\n",
        "import tensorflow as tf\n"
        "from migrate import bridge\n"
        "from migrate.bridge import as_estimator\n" + HEAD.partition("as tf\n")[2] + "if a:\n"
        "    # There is no Keras model for it yet: its model_fn is not a function of this file.\n"
        "    # migrate: bridged, Keras trains the model_fn as it is; "
        "python -m migrate recipes custom_model_fn\n"
        "    model_dir = make_folder()\n"
        "    job = bridge.KerasModelFn(f)  # the job\n"
        "    as_estimator.restore(job, model_dir, save_secs=600)\n"
        "    last_step = int(n) + 1\n"
        "    train_data = input_fn()\n"
        "    job.build_on(train_data)\n"
        "    if int(job.global_step) < last_step:\n"
        "        job.fit(train_data.take(last_step - int(job.global_step)), "
        "callbacks=as_estimator.callbacks(job), verbose=2)  # trains\n",
        ESTIMATORS,
        api="v2",
    )


PROGRAM = """\
import tensorflow as tf

def model_fn(features, labels, mode, params):
    start = tf.constant_initializer(0.5)
    hidden = tf.layers.dense(features["a"], params["units"], tf.nn.tanh, kernel_initializer=start)
    outputs = tf.layers.dense(hidden, 1, kernel_initializer=start, name="last")[:, 0]
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"outputs": outputs})
    loss = tf.losses.mean_squared_error(labels, outputs)
    train_op = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    metrics = {"rmse": tf.metrics.root_mean_squared_error(labels, outputs)}
    return tf.estimator.EstimatorSpec(mode, None, loss, train_op, metrics)

def input_fn(epochs):
    features = {"a": [[1.0, 2.0], [0.5, -1.0], [0.0, 3.0]]}
    data = tf.data.Dataset.from_tensor_slices((features, [1.0, 2.0, -1.0]))
    return data.repeat(epochs).batch(2).make_one_shot_iterator().get_next()

def main():
    estimator = tf.estimator.Estimator(
        model_fn, "model", tf.estimator.RunConfig(keep_checkpoint_max=2), {"units": 3})
    estimator.train(lambda: input_fn(None), steps=5)
    estimator.train(input_fn=lambda: input_fn(3), max_steps=8)
    metrics = estimator.evaluate(input_fn=lambda: input_fn(1))
    return metrics, list(estimator.predict(lambda: input_fn(1)))

x = main()
"""


WITH_SPECS = """\
import os
import tensorflow as tf

MODEL_DIR = "model"

def model_fn(features, labels, mode):
    scale = tf.get_variable("scale", [], initializer=tf.ones_initializer())
    outputs = features["a"] * scale
    if mode == tf.estimator.ModeKeys.PREDICT:
        export = {"serving_default": tf.estimator.export.PredictOutput({"outputs": outputs})}
        return tf.estimator.EstimatorSpec(mode, {"outputs": outputs}, export_outputs=export)
    loss = tf.reduce_sum(tf.square(labels - outputs))
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss)
    optimizer = tf.train.AdagradOptimizer(0.1)
    train_op = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

def input_fn(epochs=1):
    return tf.data.Dataset.from_tensors(({"a": [1.0, 2.0]}, [3.0, 5.0])).repeat(epochs)

def serving_input_receiver_fn():
    examples = tf.placeholder(tf.string, [None], name="examples")
    parsed = tf.parse_example(examples, {"a": tf.FixedLenFeature([], tf.float32)})
    return tf.estimator.export.ServingInputReceiver(parsed, {"examples": examples})

def main():
    config = tf.estimator.RunConfig(MODEL_DIR, save_checkpoints_steps=4)
    estimator = tf.estimator.Estimator(model_fn, config=config)
    train_spec = tf.estimator.TrainSpec(
        lambda: input_fn(None), hooks=[tf.train.StopAtStepHook(last_step=6)])
    exporter = tf.estimator.FinalExporter("final", serving_input_receiver_fn)
    eval_spec = tf.estimator.EvalSpec(input_fn, steps=1, exporters=[exporter], throttle_secs=0)
    tf.estimator.train_and_evaluate(estimator, train_spec, eval_spec)
    folder = os.path.join(estimator.model_dir, "export", "final")
    exported = [os.path.exists(os.path.join(folder, name, "saved_model.pb"))
                for name in os.listdir(folder)]
    return estimator.evaluate(input_fn), exported, os.path.basename(estimator.latest_checkpoint())

x = main()
"""


def _carried_over(program):
    """Returns the program, rewritten to legacy and then to modern."""
    plan = tools.plan(api="v1")
    text = fixed_point.rewrite(program, rules.all_rules("legacy"), plan=plan).text
    applied = [rule for rule in tools.TO_MODERN if rule.name != "model_fns"]
    outcome = fixed_point.rewrite(text, applied, unsafe=True, plan=plan)
    assert "bridge.KerasModelFn(" in outcome.text
    for gone in ("disable_v2_behavior", ".Estimator(", ".TrainSpec", "StopAtStep", "Spec("):
        assert gone not in outcome.text.replace("EstimatorSpec(", "")
    return outcome.text


@pytest.mark.timeout(300)
def test_programs_of_tensorflow_1_compute_the_same_when_they_have_been_carried_over():
    programs = [PROGRAM, WITH_SPECS]
    before = tools.run(programs, "old")
    after = tools.run([_carried_over(program) for program in programs], "eager")
    assert not any("raised" in found for found in before)
    assert compare.differences(before, after) == []
