"""Trains the model_fn of an Estimator with Keras, through the bridge, in its model_dir."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.rewrite.analysis import estimator_classes
from migrate.rewrite.analysis.estimator_uses import EstimatorUse
from migrate.rewrite.engine.rule import Change, Example, Rule
from migrate.rewrite.engine.source_file import SourceFile
from migrate.rewrite.estimators import estimator_jobs
from migrate.rewrite.rules import bridged_models


def _find(file: SourceFile) -> Iterator[Change]:
    carrier, classes = bridged_models.CARRIER, estimator_classes.WITH_MODEL_FN
    yield from estimator_jobs.changes(file, RULE, carrier, classes, _is_for)
    yield from estimator_jobs.of_other_files(file)


def _is_for(use: EstimatorUse) -> bool:
    return not use.is_trained_and_evaluated  # The rule train_and_evaluate covers those.


_MARKER = (
    "# migrate: bridged, Keras trains the model_fn as it is; "
    "python -m migrate recipes custom_model_fn"
)
_IMPORTS = "from legacy import estimator as tf_estimator\nimport tensorflow as tf\n"
_HELPERS = "from migrate import bridge\nfrom migrate.bridge import as_estimator\n"
_MODEL = (
    "v1 = tf.compat.v1\n"
    "def model_fn(features, labels, mode, params):\n"
    "    w = v1.get_variable('w', [], initializer=tf.ones_initializer())\n"
    "    out = features['a'] * w\n"
    "    if mode == 'infer':\n"
    "        return tf_estimator.EstimatorSpec(mode, {'out': out})\n"
    "    loss = tf.reduce_mean((out - labels) ** 2)\n"
    "    optimizer = v1.train.MomentumOptimizer(params['rate'], 0.5)\n"
    "    train_op = optimizer.minimize(loss, v1.train.get_global_step())\n"
    "    metrics = {'mae': v1.metrics.mean_absolute_error(labels, out)}\n"
    "    return tf_estimator.EstimatorSpec(mode, None, loss, train_op, metrics)\n"
    "def input_fn(count=1):\n"
    "    data = tf.data.Dataset.from_tensor_slices(({'a': [1., 2., 3.]}, [2., 3., 5.]))\n"
    "    data = data.repeat(count)\n"
    "    return data.batch(2)\n"
)
_GOES_ON = "    return metrics['loss'], metrics['global_step'], outputs\nx, y = job(), job()\n"
_EXAMPLE = Example(
    _IMPORTS + _MODEL + "def job():\n"
    "    config = tf_estimator.RunConfig(save_checkpoints_steps=2)\n"
    "    estimator = tf_estimator.Estimator(\n"
    "        model_fn=model_fn, model_dir='model', config=config, params={'rate': 0.01})\n"
    "    estimator.train(lambda: input_fn(8), steps=3)\n"
    "    estimator.train(input_fn=input_fn, max_steps=4)\n"
    "    metrics = estimator.evaluate(input_fn)\n"
    "    outputs = [one['out'] for one in estimator.predict(input_fn, ['out'])]\n" + _GOES_ON,
    _IMPORTS + _HELPERS + _MODEL + "def job():\n"
    f"    {_MARKER}\n"
    "    estimator = bridge.KerasModelFn(model_fn, params={'rate': 0.01})\n"
    "    as_estimator.restore(estimator, 'model', save_steps=2)\n"
    "    estimator.fit(input_fn(8).take(3), "
    "callbacks=as_estimator.callbacks(estimator), verbose=2)\n"
    "    train_data = input_fn()\n"
    "    estimator.build_on(train_data)\n"
    "    if int(estimator.global_step) < 4:\n"
    "        estimator.fit(train_data.take(4 - int(estimator.global_step)), "
    "callbacks=as_estimator.callbacks(estimator), verbose=2)\n"
    "    metrics = dict(estimator.evaluate(input_fn(), verbose=0, return_dict=True), "
    "global_step=int(estimator.global_step))\n"
    "    outputs = [one['out'] for one in "
    "as_estimator.predict(estimator, input_fn(), predict_keys=['out'])]\n" + _GOES_ON,
    api="v2",
)
_UNSEEN_EXAMPLE = Example(
    _IMPORTS + _MODEL + "functions = [input_fn]\n"
    "job = tf_estimator.Estimator(model_fn, params={'rate': 0.01})\n"
    "job.train(functions[0])\n"
    "x = job.evaluate(input_fn, steps=1)['mae']\n",
    _IMPORTS + _HELPERS + _MODEL + "functions = [input_fn]\n"
    f"{_MARKER}\n"
    "job = bridge.KerasModelFn(model_fn, params={'rate': 0.01})\n"
    "job.fit((functions[0])(), callbacks=as_estimator.callbacks(job), verbose=2)\n"
    "x = job.evaluate(input_fn().take(1), verbose=0, return_dict=True)['mae']\n",
    unsafe=True,
    api="v2",
)
_WITH_HOOK = "x = sorted(name for name in os.listdir('model') if name.endswith('index'))\n"
_HOOK_EXAMPLE = Example(
    f"import os\n{_IMPORTS}{_MODEL}"
    "saver = v1.train.CheckpointSaverHook\n"
    "job = tf_estimator.Estimator(model_fn, 'model', params={'rate': 0.01})\n"
    "job.train(lambda: input_fn(9), [saver('model', save_steps=2)], steps=5)\n" + _WITH_HOOK,
    f"import os\n{_IMPORTS}{_HELPERS}{_MODEL}"
    "saver = v1.train.CheckpointSaverHook\n"
    f"{_MARKER}\n"
    "job = bridge.KerasModelFn(model_fn, params={'rate': 0.01})\n"
    "as_estimator.restore(job, 'model', save_secs=600)\n"
    "job.fit(input_fn(9).take(5), callbacks=[*as_estimator.callbacks(), "
    "as_estimator.SaveCheckpoints('model', save_steps=2)], verbose=2)\n" + _WITH_HOOK,
    api="v2",
)
_BY_NAME_MARKER = (
    "# There is no Keras model for it yet: get_variable_value knows variables by an Estimator's "
    f"names.\n{_MARKER}"
)
_BY_NAME = "y = job.evaluate(input_fn)['loss']\n"
_BY_NAME_EXAMPLE = Example(
    _IMPORTS + _MODEL + "job = tf_estimator.Estimator(model_fn, 'model', params={'rate': 0.01})\n"
    "job.train(input_fn)\n"
    "x = [[name, float(job.get_variable_value(name))] for name in job.get_variable_names()]\n"
    "other = tf_estimator.Estimator(model_fn, params={'rate': 0.01})\n"
    "other.train(input_fn)\n"
    "z = float(other.get_variable_value(name='w'))\n" + _BY_NAME,
    _IMPORTS + _HELPERS + _MODEL + f"{_BY_NAME_MARKER}\n"
    "job = bridge.KerasModelFn(model_fn, params={'rate': 0.01})\n"
    "as_estimator.restore(job, 'model', save_secs=600)\n"
    "job.fit(input_fn(), callbacks=as_estimator.callbacks(job), verbose=2)\n"
    "x = [[name, float(tf.train.load_variable('model', name))] "
    "for name in [name for name, _ in tf.train.list_variables('model')]]\n"
    f"{_BY_NAME_MARKER}\n"
    "other = bridge.KerasModelFn(model_fn, params={'rate': 0.01})\n"
    "other.fit(input_fn(), callbacks=as_estimator.callbacks(other), verbose=2)\n"
    "z = float(other.variables_by_name['w'].numpy())\n"
    "y = job.evaluate(input_fn(), verbose=0, return_dict=True)['loss']\n",
    api="v2",
)
_OWN_HOOK = (
    "class Watch(v1.train.SessionRunHook):\n"
    "    seen = []\n"
    "    def begin(self):\n"
    "        self.step = v1.train.get_global_step()\n"
    "    def before_run(self, run_context):\n"
    "        return v1.train.SessionRunArgs({'w': self.step})\n"
    "    def after_run(self, run_context, run_values):\n"
    "        self.seen.append(int(run_context.session.run(self.step)))\n"
    "watch = Watch()\n"
)
_OWN_HOOK_EXAMPLE = Example(
    _IMPORTS + _MODEL + _OWN_HOOK + "job = tf_estimator.Estimator(model_fn, "
    "params={'rate': 0.01})\n"
    "job.train(input_fn, [watch])\n"
    "x = watch.seen\n",
    _IMPORTS + _HELPERS + _MODEL + _OWN_HOOK + "# There is no Keras model for it yet: train is "
    "given a hook of its own, which is to become a callback: python -m migrate recipes "
    "session_run_hook.\n"
    f"{_MARKER}\n"
    "job = bridge.KerasModelFn(model_fn, params={'rate': 0.01})\n"
    "job.fit(input_fn(), callbacks=[*as_estimator.callbacks(job), "
    "*as_estimator.run_hooks([watch])], verbose=2)\n"
    "x = watch.seen\n",
    unsafe=True,
    api="v2",
)
_TPU_MODEL = (
    "v1 = tf.compat.v1\n"
    "def metric_fn(labels, out):\n"
    "    return {'mae': v1.metrics.mean_absolute_error(labels, out)}\n"
    "def model_fn(features, labels, mode, params):\n"
    "    w = v1.get_variable('w', [], initializer=tf.ones_initializer())\n"
    "    out = features['a'] * w * params['scale']\n"
    "    if mode == 'infer':\n"
    "        return tpu.TPUEstimatorSpec(mode, {'out': out})\n"
    "    loss = tf.reduce_mean((out - labels) ** 2) * params['batch_size']\n"
    "    optimizer = tpu.CrossShardOptimizer(v1.train.GradientDescentOptimizer(0.01))\n"
    "    train_op = optimizer.minimize(loss, v1.train.get_global_step())\n"
    "    return tpu.TPUEstimatorSpec(\n"
    "        mode, None, loss, train_op, eval_metrics=(metric_fn, [labels, out]))\n"
    "def input_fn(params):\n"
    "    data = tf.data.Dataset.from_tensor_slices(({'a': [1., 2., 3.]}, [2., 3., 5.]))\n"
    "    return data.batch(params['batch_size'])\n"
    "steps = None\n"
)
_TPU_EXAMPLE = Example(
    "from legacy.contrib import tpu\nimport tensorflow as tf\n" + _TPU_MODEL + "job = "
    "tpu.TPUEstimator(\n"
    "    model_fn, 'model', tpu.RunConfig(), {'scale': 2.0}, use_tpu=False, train_batch_size=1,\n"
    "    eval_batch_size=3, predict_batch_size=2)\n"
    "job.train(lambda params: input_fn(params).repeat(), max_steps=4)\n"
    "x = job.evaluate(input_fn, steps)\n"
    "y = [one['out'] for one in job.predict(input_fn)]\n",
    "from legacy.contrib import tpu\nimport tensorflow as tf\n" + _HELPERS + _TPU_MODEL + "# There "
    "is no Keras model for it yet: it is a TPUEstimator.\n"
    f"{_MARKER}\n"
    "job = bridge.KerasModelFn(\n"
    "    model_fn,\n"
    "    params=as_estimator.TPUParams(\n"
    "        {'scale': 2.0},\n"
    "        train_batch_size=1,\n"
    "        eval_batch_size=3,\n"
    "        predict_batch_size=2,\n"
    "    ),\n"
    ")\n"
    "as_estimator.restore(job, 'model', save_secs=600)\n"
    "train_data = (lambda params: input_fn(params).repeat())(params=job.params.train)\n"
    "job.build_on(train_data)\n"
    "if int(job.global_step) < 4:\n"
    "    job.fit(train_data.take(4 - int(job.global_step)), "
    "callbacks=as_estimator.callbacks(job), verbose=2)\n"
    "x = dict(job.evaluate(input_fn(params=job.params.eval).take(-1 if steps is None else steps), "
    "verbose=0, return_dict=True), global_step=int(job.global_step))\n"
    "y = [one['out'] for one in "
    "as_estimator.predict(job, input_fn(params=job.params.infer))]\n",
    api="v2",
)

RULE = Rule(
    __name__,
    _find,
    message="Keras trains a model_fn, through the bridge, from and to the Estimator's model_dir.",
    source="https://www.tensorflow.org/guide/migrate/migrating_estimator",
    symbols=estimator_classes.WITH_MODEL_FN,
    recipe="custom_model_fn",
    examples=(
        *(_EXAMPLE, _UNSEEN_EXAMPLE, _HOOK_EXAMPLE),
        *(_BY_NAME_EXAMPLE, _OWN_HOOK_EXAMPLE, _TPU_EXAMPLE),
    ),
    unchanged=(
        _IMPORTS + _MODEL + "def job():\n"
        "    return tf_estimator.Estimator(model_fn, 'model')\nx = callable(job)\n",
        _IMPORTS + _MODEL + "def job(hook):\n"
        "    estimator = tf_estimator.Estimator(model_fn, 'model')\n"
        "    estimator.train(input_fn, hooks=[hook], steps=3)\nx = callable(job)\n",
        _IMPORTS + _MODEL + "def job(strategy):\n"
        "    config = tf_estimator.RunConfig(train_distribute=strategy)\n"
        "    estimator = tf_estimator.Estimator(model_fn, 'model', config)\n"
        "    estimator.train(input_fn, steps=3)\nx = callable(job)\n",
    ),
    safe=False,
)
