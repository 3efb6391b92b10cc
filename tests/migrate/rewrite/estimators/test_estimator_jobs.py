"""Tests for Estimators that are understood as a whole, or left to a person."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.estimators import head


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tf_estimator.Estimator(model_fn).train(input_fn)", "not assigned to a name"),
        ("jobs = {}\njobs['a'] = tf_estimator.Estimator(model_fn)", "something other than a name"),
        ("job = tf_estimator.Estimator(model_fn); job.train(input_fn)", "another statement"),
        (
            "if a:\n    job = 3\njob = tf_estimator.Estimator(model_fn)",
            "line 6 may not be an Estimator",
        ),
        ("job = tf_estimator.Estimator(model_fn)\nuse(job)", "passed on in line 6"),
        ("job = tf_estimator.Estimator(model_fn)\nprint(job.config)", "has no counterpart"),
        (
            "job = tf_estimator.Estimator(f)\nx = [job.train(input_fn)]",
            "in line 6 is not a statement of its own",
        ),
        ("job = tf_estimator.Estimator(**options)", "*args or **kwargs"),
        (
            "job = tf_estimator.Estimator(model_fn, warm_start_from='old')",
            "weights of another checkpoint",
        ),
        (
            "job = tf_estimator.Estimator(f)\n"
            "job.train(input_fn, hooks=[tf.compat.v1.train.FeedFnHook(a)])",
            "recipes session_run_hook",
        ),
        (
            "job = tf_estimator.Estimator(f)\njob.evaluate(input_fn, None, [], 'a')",
            "argument checkpoint_path of evaluate",
        ),
        (
            "job = tf_estimator.tpu.TPUEstimator(f, embedding_config_spec=e)\njob.train(input_fn)",
            "TPU embeddings",
        ),
        (
            "job = tf_estimator.tpu.TPUEstimator(f)\njob.train(lambda config, params: config)",
            "with arguments",
        ),
        ("job = tf_estimator.Estimator(f)\njob.train(lambda mode: mode)", "with arguments"),
        (
            "def f(input_context):\n  return 1\njob = tf_estimator.Estimator(f)\njob.train(f)",
            "takes input_context",
        ),
        (
            "job = tf_estimator.Estimator(model_fn, config=make())",
            "neither a RunConfig call nor a name",
        ),
        ("job = tf_estimator.Estimator(model_fn)\njob.latest_checkpoint()", "no model_dir"),
        (
            "job = tf_estimator.Estimator(f)\njob.train(g(job.model_dir))",
            "argument of another call",
        ),
    ],
)
def test_what_is_not_understood_is_left_to_a_person(text, reason):
    made = head.said(text)
    assert reason in made.reason
    assert not made.applicable


def test_what_may_be_a_tpu_estimator_or_another_is_left_alone():
    text = (
        "if on_tpu:\n  job = tf_estimator.tpu.TPUEstimator(f)\n"
        "else:\n  job = tf_estimator.Estimator(f)\njob.train(input_fn)\n"
    )
    outcome = tools.check_noop(head.HEAD + text, head.ESTIMATORS, unsafe=True, api="v2")
    assert ["hold a TPUEstimator" in made.reason for made in outcome.suggestions] == [True, True]


def test_a_tpu_that_a_program_may_ask_for_is_named():
    text = "job = tf_estimator.tpu.TPUEstimator(f{})\njob.train(input_fn)\n"
    told = {
        given: "use_tpu" in fixed_point.rewrite(
            head.HEAD + text.format(given), head.ESTIMATORS, unsafe=True, plan=tools.plan(api="v2")
        ).text
        for given in ("", ", use_tpu=flags.use_tpu", ", use_tpu=False")
    }  # fmt: skip
    assert [*told.values()] == [True, True, False]


def test_an_estimator_of_tensorflow_itself_is_to_go_to_legacy_first():
    text = "import tensorflow as tf\njob = tf.estimator.Estimator(f)\n"
    outcome = tools.check_noop(text, head.ESTIMATORS)
    assert "--to=legacy" in outcome.suggestions[0].reason


def test_a_folder_that_is_computed_is_computed_once():
    tools.check_transformed(
        head.HEAD + "if a:\n"
        "    job = tf_estimator.Estimator(f, make_folder())  # the job\n"
        "    job.train(input_fn, max_steps=int(n) + 1)  # trains\n",
        "import tensorflow as tf\n"
        "from migrate import bridge\n"
        "from migrate.bridge import as_estimator\n" + head.HEAD.partition("as tf\n")[2] + "if a:\n"
        "    # There is no Keras model for it yet: its model_fn is not a function of this file.\n"
        "    # migrate: Keras trains the unchanged model_fn (python -m migrate recipes "
        "custom_model_fn)\n"
        "    model_dir = make_folder()\n"
        "    job = bridge.KerasModelFn(f)  # the job\n"
        "    as_estimator.restore(job, model_dir, save_secs=600)\n"
        "    last_step = int(n) + 1\n"
        "    train_data = input_fn()\n"
        '    job.build_on(train_data, mode="train")\n'
        "    if int(job.global_step.numpy()) < last_step:\n"
        "        job.fit(train_data.take(last_step - int(job.global_step.numpy())), "
        "callbacks=as_estimator.callbacks(job), verbose=2)  # trains\n",
        head.ESTIMATORS,
        api="v2",
    )


def test_a_config_that_may_be_none_gets_its_default():
    text = (
        f"{head.HEAD}def run(config=None):\n"
        "    job = tf_estimator.Estimator(f, 'model', config)\n    job.train(input_fn)\n"
    )
    outcome = fixed_point.rewrite(text, head.ESTIMATORS, unsafe=True, plan=tools.plan(api="v2"))
    assert "    config = config or as_estimator.RunConfig()\n" in outcome.text
    assert "save_steps=config.save_checkpoints_steps" in outcome.text


def test_a_config_of_the_module_that_may_be_none_stays():
    text = (
        "config = None\ndef run():\n    job = tf_estimator.Estimator(f, 'model', config)\n"
        "    job.train(input_fn)\n"
    )
    assert "config may be None" in head.said(text, is_shared=False).reason


@pytest.mark.parametrize(
    ("text", "input_fn"),
    [
        ("def f():\n  return 1, 2\n", "f"),
        ("def f(x):\n  return x, 2\n", "lambda: f(1)"),
        ("def f(x):\n  return tf_estimator.inputs.numpy_input_fn(x, shuffle=a)\n", "f(x)"),
        (
            "def f(data):\n  def g():\n    return data.make_one_shot_iterator().get_next()\n"
            "  return g\n",
            "f(data)",
        ),
        (
            "class A:\n  def f(self):\n    return tf_estimator.inputs.numpy_input_fn("
            "x, num_threads=4)\n",
            "A().f()",
        ),
    ],
)
def test_an_input_fn_with_tensors_is_read_in_a_graph(text, input_fn):
    text = f"{head.HEAD}{text}job = tf_estimator.Estimator(m)\njob.train({input_fn})\n"
    outcome = fixed_point.rewrite(text, head.ESTIMATORS, unsafe=True, plan=tools.plan(api="v2"))
    assert f"job.fit(as_estimator.graph_dataset({input_fn}), " in outcome.text
    (change,) = outcome.changes
    assert "runs in a graph and a session" in change.reason
