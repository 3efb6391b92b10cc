"""Tests that the process of a program is guarded and repeats its random numbers."""

import os

import pytest

from migrate.port import randomness
from migrate.port.in_program import guard, initial_weights, places
from tests.migrate.port.in_program import started


@pytest.mark.parametrize(
    "statement",
    [
        "open('{0}/new', 'w')",
        "open('{0}/kept', 'a')",
        "os.remove('{0}/kept')",
        "os.rename('{0}/kept', 'mine')",
        "os.makedirs('{0}/a/b')",
        "shutil.rmtree('{0}')",
        "os.symlink('{0}', 'link'); open('link/kept', 'w')",
    ],
)
def test_python_cannot_write_outside_of_the_copy(tmp_path, statement):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    done = started.run(tmp_path, f"import os, shutil\n{statement.format(outside)}\n")
    assert "PermissionError: migrate port: the program writes to " in done.stderr
    assert sorted(os.listdir(outside)) == ["kept"]
    assert (outside / "kept").read_text() == "kept"
    assert (
        (tmp_path / "run1" / "record" / guard.REFUSED)
        .read_text()
        .startswith((str(outside), "link/kept"))
    )


def test_python_may_read_outside_and_write_inside(tmp_path):
    (tmp_path / "data").write_text("1 2")
    done = started.run(
        tmp_path,
        f"open('copy', 'w').write(open(r'{tmp_path}/data').read())\nimport os\n"
        "os.makedirs('a/b')\nos.rename('copy', 'a/b/c')\nos.remove('a/b/c')\n",
    )
    assert done.returncode == 0, done.stderr


def test_tensorflow_cannot_write_outside_of_the_copy(tmp_path):
    (tmp_path / "kept").mkdir()
    done = started.run(
        tmp_path,
        "import tensorflow as tf\n"
        "tf.io.gfile.makedirs('inside/model')\n"
        "with tf.io.gfile.GFile('inside/model/a', 'w') as file: file.write('a')\n"
        f"for function in (tf.io.gfile.rmtree, tf.io.gfile.makedirs, tf.io.gfile.remove):\n"
        "    try:\n"
        f"        function(r'{tmp_path}/kept')\n"
        "    except PermissionError:\n"
        "        print('refused')\n",
    )
    assert done.stdout.split() == ["refused"] * 3, done.stderr
    assert (tmp_path / "kept").exists()


def test_random_numbers_do_not_depend_on_the_operations_before(tmp_path):
    program = (
        "import random, numpy as np, tensorflow as tf\n"
        "print(random.random(), np.random.rand())\n"
        "with tf.Graph().as_default(), tf.compat.v1.Session() as session:\n"
        "    {0}\n"
        "    print(session.run(tf.random.uniform([2])))\n"
        "    print(session.run(tf.nn.dropout(tf.ones([2]), rate=0.5)))\n"
        "print([int(x) for x in tf.data.Dataset.range(5).shuffle(5)])\n"
    )
    one = started.run(tmp_path, program.format("pass"))
    other = started.run(tmp_path, program.format("tf.random.normal([3])"), 2)
    assert one.stdout == other.stdout
    assert len(one.stdout.splitlines()) == 4, one.stderr


def test_all_kinds_of_shuffles_and_dropout_agree(tmp_path):
    done = started.run(
        tmp_path,
        "import numpy as np, tensorflow as tf, tf_keras\n"
        "from legacy.compat.v1 import estimator\n"
        "tf1 = tf.compat.v1\n"
        "def data():\n"
        "    return tf.data.Dataset.range(9).shuffle(4, reshuffle_each_iteration=True)\n"
        "once = data()\n"
        "orders = [[int(x) for x in once], [int(x) for x in once]]\n"
        "eager = tf.nn.dropout(tf.ones([9]), 0.5).numpy()\n"
        "keras = tf_keras.layers.Dropout(0.5)(tf.ones([1, 9]), training=True).numpy()[0]\n"
        "make = estimator.inputs.numpy_input_fn\n"
        "with tf.Graph().as_default(), tf1.Session() as session:\n"
        "    batch = tf1.data.make_one_shot_iterator(data().repeat().batch(9)).get_next()\n"
        "    dropped = tf1.nn.dropout(tf.ones([9]), keep_prob=0.5)\n"
        "    orders += [session.run(batch).tolist(), session.run(batch).tolist()]\n"
        "    masks = [session.run(dropped), session.run(dropped), eager, keras]\n"
        "with tf.Graph().as_default():\n"
        "    rows = make(np.arange(9), batch_size=9, shuffle=True, queue_capacity=4)()\n"
        "    with tf1.train.MonitoredSession() as session:\n"
        "        orders.append(session.run(rows).tolist())\n"
        "print(len({tuple(one) for one in orders}), orders[0] != sorted(orders[0]))\n"
        "print(len({tuple(one) for one in masks}), set(masks[0].tolist()))\n",
    )
    assert done.stdout.splitlines() == ["1 True", "1 {0.0, 2.0}"], done.stderr
    record = str(tmp_path / "run1" / "record")
    assert randomness.dropout_rates(record) == {0.5}
    assert len(randomness.conditions(record)) == 2


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("statement", ["step.assign(step + 1)", "tf1.assign_add(step, 1)"])
def test_a_step_is_read_before_the_program_assigns_it(tmp_path, resource, statement):
    done = started.run(
        tmp_path,
        "import tensorflow as tf\n"
        "tf1 = tf.compat.v1\n"
        "with tf.Graph().as_default(), tf1.Session() as session:\n"
        f"    with tf1.variable_scope('', use_resource={resource}):\n"
        "        step = tf1.train.get_or_create_global_step()\n"
        "    rate = tf.cast(step, tf.float32) * 2.0\n"
        f"    assigned = {statement}\n"
        # The operation itself waits, or the constant that it adds.
        "    waits = [op for op in session.graph.get_operations()\n"
        "             if {'Cast', 'Identity'} & {one.type for one in op.control_inputs}]\n"
        "    with tf.control_dependencies([rate]):\n"
        "        own = step.assign(step + 1)\n"
        "    other = tf1.get_variable('other', (), tf.int64, use_resource=False)\n"
        "    tf.cast(other, tf.float32)\n"
        "    print(bool(waits), other.assign(step).op.control_inputs)\n"
        "    session.run(tf1.global_variables_initializer())\n"
        "    print([float(session.run([rate, assigned])[0]) for _ in range(3)])\n",
    )
    assert done.stdout.splitlines() == ["True []", str([0.0, 2.0, 4.0])], done.stderr
    record = str(tmp_path / "run1" / "record")
    assert ["global step" in one for one in randomness.conditions(record)] == [True]


def test_temporary_folders_of_the_program_have_the_same_names(tmp_path):
    program = (
        "import tempfile, concurrent.futures\n"
        "{0}\n"
        "print(tempfile.mkdtemp())\n"
        "with tempfile.TemporaryDirectory(prefix='model') as folder:\n"
        "    print(folder)\n"
    )
    # Those of libraries are not counted.
    library = "import shutil, zipapp, test.support.os_helper as h\nwith h.temp_dir(): pass"
    one = started.run(tmp_path, program.format("pass"))
    other = started.run(tmp_path, program.format(library), 2)
    names = [
        [os.path.relpath(line, tmp_path / run / "work") for line in done.stdout.splitlines()]
        for run, done in (("run1", one), ("run2", other))
    ]
    assert names == [["tmp/made/1", "tmp/made/2"]] * 2, one.stderr + other.stderr


def test_weights_come_when_the_program_makes_the_model(tmp_path):
    weights = tmp_path / "run1" / initial_weights.CARRIED / "at-10.20"
    weights.mkdir(parents=True)
    (weights / "checkpoint").write_text("")
    done = started.run(
        tmp_path,
        "import os, shutil\n"
        "from legacy import estimator\n"
        "names = [os.path.exists('at-10.31')]\n"
        "estimator.Estimator(lambda features: None, 'at-10.31')\n"
        "for _ in range(2):\n"
        "    names.append(os.path.exists('at-10.31/checkpoint'))\n"
        "    shutil.rmtree('at-10.31')\n"
        "print(*names, os.path.exists('at-10.31'))\n",
    )
    assert done.stdout.split() == ["False", "True", "True", "False"], done.stderr


def test_a_dropout_of_keras_that_nothing_switches_on_is_not_recorded(tmp_path):
    started.run(
        tmp_path,
        "import os\n"
        "os.environ['TF_USE_LEGACY_KERAS'] = '1'\n"
        "import tensorflow.compat.v1 as tf\n"
        "tf.disable_v2_behavior()\n"
        "x = tf.ones([2, 3])\n"
        "tf.keras.layers.Dropout(0.25)(x)\n"
        "tf.keras.layers.Dropout(0.5)(x, training=True)\n"
        "tf.keras.layers.Dropout(0.75)(x, training=tf.placeholder_with_default(False, []))\n",
    )
    assert randomness.dropout_rates(str(tmp_path / "run1" / "record")) == {0.5, 0.75}


def test_the_lines_that_make_estimators_are_recorded(tmp_path):
    done = started.run(
        tmp_path,
        "from legacy import estimator\n"
        "def make():\n"
        "    return estimator.Estimator(lambda features: None)\n"
        "print(make().model_dir)\n"
        "estimator.add_metrics(make(), lambda labels: {})\n",
    )
    assert done.stdout.strip() == str(tmp_path / "run1" / "work" / "unnamed" / "1"), done.stderr
    # An Estimator that add_metrics returns is the same one.
    made = [
        places.CreatedEstimator((("job.py", 3), ("job.py", line)), "Estimator", f"unnamed/{number}")
        for number, line in ((1, 4), (2, 5))
    ]
    assert places.read(str(tmp_path / "run1" / "record"), ".") == made
