"""Tests for the scanner: it finds old names in all forms of imports, such as aliases and stars."""

import pytest

from migrate.scan import reading, scanner
from tests.migrate.scan import scans
from tests.migrate.scan.scans import write

# A program of TensorFlow 1, which has other initializers than TensorFlow 2.
V1 = "import tensorflow as tf\ntf.placeholder(x)\n"

__all__ = ["write"]  # a fixture
ESTIMATOR = "tf.estimator.Estimator"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import tensorflow as tf\ntf.estimator.Estimator(f)", ESTIMATOR),
        ("import tensorflow\ntensorflow.estimator.Estimator(f)", ESTIMATOR),
        ("import tensorflow.compat.v1 as tf\ntf.layers.dense(x)", "tf.compat.v1.layers.dense"),
        ("from tensorflow import estimator as e\ne.Estimator(f)", ESTIMATOR),
        ("import tensorflow as tf\ngetattr(tf, 'estimator').Estimator(f)", ESTIMATOR),
        (
            "from tensorflow.contrib.learn import RunConfig\nRunConfig()",
            "tf.contrib.learn.RunConfig",
        ),
        (
            "import tensorflow.contrib.slim as slim\nslim.conv2d(x, 3)",
            "tf.contrib.slim.conv2d",
        ),
        (
            "from tensorflow_estimator.python.estimator import run_config\nrun_config.RunConfig()",
            "tensorflow_estimator.python.estimator.run_config.RunConfig",
        ),
        (
            "from tensorflow.python.estimator import estimator as e\ne.Estimator(f)",
            "tf.python.estimator.estimator.Estimator",
        ),
        (
            "try:\n  from tensorflow import estimator as e\nexcept ImportError:\n  e = None\n"
            "e.Estimator(f)",
            ESTIMATOR,
        ),
        ("from tensorflow.contrib.layers import *\nconv2d(x, 3)", "tf.contrib.layers.conv2d"),
        ("import tensorflow as tf\ngetattr(tf.estimator, name)", "tf.estimator"),
        ("import sys\nsys.modules['tensorflow'].log(x)", "tf.log"),
        ("import tensorflow as tf\ntf.__dict__['log'](x)", "tf.log"),
        ("import tensorflow as tf\nvars(tf)['log'](x)", "tf.log"),
        ("tf = LazyLoader('tf', globals(), 'tensorflow')\ntf.log(x)", "tf.log"),
        ("tf = pytest.importorskip('tensorflow')\ntf.log(x)", "tf.log"),
        ("import tensorflow as tf\ntf = tf.compat.v1\ntf.log(x)", "tf.compat.v1.log"),
        (
            "import tensorflow as tf\nt = tf.compat.v1 if hasattr(tf, 'compat') else tf\nt.log(x)",
            "tf.compat.v1.log",
        ),
        ("import tensorflow as tf\nif (t := tf): t.log(x)", "tf.log"),
        ("import tensorflow as tf\ndef f(x, tf=tf): tf.log(x)", "tf.log"),
        ("import tensorflow as tf\nclass A:\n  t = tf\n  def f(self): self.t.log()", "tf.log"),
        ("def f(): tf1.log()\ndef g():\n  global tf1\n  import tensorflow as tf1", "tf.log"),
        ("def f():\n  import tensorflow as t\n  def g():\n    return lambda: t.log()", "tf.log"),
        (
            "try:\n  import tensorflow.compat.v1 as t\nexcept ImportError:\n"
            "  import tensorflow as t\nt.log(x)",
            "tf.compat.v1.log",
        ),
        ("import tensorflow as tf\ngetattr(tf.train, x + 'Optimizer')", "tf.train.?"),
        ("import tensorflow as tf\ntf.summary.scalar('a', x)", "tf.summary.scalar"),
        (
            "from tensorflow.contrib import summary\nsummary.scalar('a', x, step=s)",
            "tf.contrib.summary.scalar",
        ),
        ("import tensorflow.compat.v1 as t\nt.compat.v1.log(x)", "tf.compat.v1.log"),
        ("from elsewhere import *\ntf.log(x)", "tf.log"),
        ("import tensorflow as tf\nx = f'{tf.log(x)!r:>{3}}'", "tf.log"),
        ("import tensorflow as tf\n@tf.log\ndef f(): pass", "tf.log"),
        ("import tensorflow as tf\ndef f(x=tf.log): pass", "tf.log"),
        ("import tensorflow as tf\nclass A(x=tf.log): pass", "tf.log"),
        ("from tensorflow._api.v1.contrib import slim\nslim.conv2d(x)", "tf.contrib.slim.conv2d"),
        ("from tensorflow_core.contrib import slim\nslim.conv2d(x)", "tf.contrib.slim.conv2d"),
        ("\ufeffimport tensorflow as tf\r\n\x0c\r\ntf.log(x)", "tf.log"),
        ("import tensorflow as tf\nif x:\n\ttf.log(x)", "tf.log"),
        (f"import tensorflow as tf\nx = {'1 + ' * 900}tf.log(x)", "tf.log"),
        ("import tensorflow as tf\nx.make_one_shot_iterator()", "make_one_shot_iterator"),
        ("import tensorflow as tf\ntf.reduce_sum(x, keep_dims=True)", "keep_dims"),
        ("import tensorflow as tf\ntf.nn.softmax(x, dim=1)", "dim"),
        ("import tensorflow.compat.v1 as tf\ntf.argmax(x, dimension=1)", "dimension"),
        (
            "import tensorflow as tf\ntf.gradients(x, y, colocate_gradients_with_ops=True)",
            "colocate_gradients_with_ops",
        ),
        ("import tensorflow as tf\nx: Optional['tf.log | None'] = None", "tf.log"),
        (f"{V1}tf.random_normal_initializer()", "tf.random_normal_initializer"),
        (f"{V1}tf.initializers.truncated_normal(seed=3)", "tf.initializers.truncated_normal"),
        (f"{V1}x = tf.random_uniform_initializer", "tf.random_uniform_initializer"),
        (
            "import tensorflow as tf\ntf.compat.v1.initializers.random_normal()",
            "tf.compat.v1.initializers.random_normal",
        ),
        ("import tensorflow as tf\ndef f() -> Dict[str, List['tf.log']]: pass", "tf.log"),
    ],
)
def test_a_use_is_found(tmp_path, write, text, name):
    write("job.py", text)
    assert scans.found(tmp_path)[-1][1] == name


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow as tf\ntf.cast(x, tf.float32)\ntf.keras.layers.Dense(3)",
        "import tensorflow as tf\ntf.random_normal_initializer()\ntf.random.set_seed(1)",
        "import tensorflow as tf\ntf.compat.v1.initializers.random_normal(stddev=0.1)",
        "import numpy as tf\ntf.layers.dense(x)",
        "def f(tf):\n  return tf.estimator.Estimator",
        "import tensorflow as tf\ntry: f()\nexcept E as tf: tf.log(x)",
        "import tensorflow as tf\nmatch x:\n  case {'a': tf}: tf.log(x)",
        "import tensorflow as tf\nmatch x:\n  case [1, *tf] | A() as tf: tf.log(x)",
        "import tensorflow as tf\nx: Literal['tf.log'] = 'tf.log'",
        "import tensorflow as tf\ntf.keras.layers.Dot(dim=1)\ntf.random.f(dimension=1)",
        "from mine import estimator\nestimator.Estimator(f)",
        "# tf.estimator.Estimator\n'tf.contrib.layers'",
        "import tensorflow_hub as hub\nhub.Module(x)",
        "import tensorflow as tf\ntf.summary.scalar('a', x, step=s)\nhasattr(tf.summary, 'x')",
        "from tensorflow import summary\nsummary.experimental.set_step(x)\nsummary.text(x, step=1)",
    ],
)
def test_nothing_is_invented(tmp_path, write, text):
    write("job.py", text)
    assert scans.found(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        # Attributes of an object are not uses.
        ("FLAGS = tf.flags.FLAGS\nFLAGS.x\nFLAGS.y\ntf.flags.FLAGS.z", 2),
        ("mode = tf.estimator.ModeKeys.TRAIN\nf(mode)\nif mode: pass", 1),
        ("from tensorflow.flags import FLAGS\nFLAGS.x", 1),
        # A local variable counts where the function calls it or reads an attribute of it.
        ("def f():\n  log = tf.log\n  return log(log(x))", 3),
        ("def f():\n  log = tf.log\n  g(log)", 1),
        ("def f():\n  layers = tf.layers\n  layers.dense(x)", 2),
        ("def f():\n  if x:\n    g = tf.log\n  else:\n    g = tf.to_float\n  g(x)", 2),
        ("class A:\n  def f(self):\n    self.g = tf.log\n  def h(self): self.g(self.g)", 1),
        # At module level, an assigned name counts like an imported one.
        ("log = tf.log\nlog(x)\nf(log)", 3),
        # The object of a lookup is part of the name.
        ("getattr(tf.logging, 'info')(y)", 1),
        ("getattr(tf.estimator, 'Estimator', tf.layers.dense)", 2),
        ("vars(tf.logging)['info'](y)", 1),
        # A computed name is reported next to the part of it that is known.
        ("getattr(tf.logging, x)(y)", 2),
        ("from tensorflow.python.ops.math_ops import *\nzip(cast(1), __name__)", 2),
    ],
)
def test_each_use_counts_once(tmp_path, write, text, count):
    write("job.py", f"import tensorflow as tf\n{text}")
    assert len(scans.found(tmp_path)) == count


@pytest.mark.parametrize(
    ("utils", "job"),
    [
        ("import tensorflow as tf", "from utils import tf\ntf.layers.dense(x)"),
        ("import tensorflow as tf", "import utils\nutils.tf.layers.dense(x)"),
        ("import tensorflow as tf", "from utils import *\ntf.layers.dense(x)"),
        ("from base import *", "from utils import tf as t\nt.layers.dense(x)"),
        ("from base import tf\nlayers = tf.layers", "from utils import layers\nlayers.dense(x)"),
    ],
)
def test_a_module_of_the_programs_own_hands_it_on(tmp_path, write, utils, job):
    write("base.py", "import tensorflow as tf")
    write("utils.py", utils)
    write("job.py", job)
    assert (2, "tf.layers.dense") in scans.found(tmp_path)


def test_relative_imports_and_packages(tmp_path, write):
    write("p/__init__.py", "from .compat import tf1")
    write("p/compat.py", "import tensorflow.compat.v1 as tf1")
    write("p/models/__init__.py", "")
    write("p/models/net.py", "from .. import tf1\nfrom p import tf1 as other\ntf1.log(other.log)")
    assert [name for _, name in scans.found(tmp_path)] == ["tf.compat.v1.log"] * 2


def test_a_src_folder_and_packages_without_init(tmp_path, write):
    write("src/pkg/deep/utils.py", "import tensorflow as tf1")
    write("scripts/job.py", "from pkg.deep.utils import tf1\ntf1.log(x)")
    write("other/place/job.py", "from deep.utils import tf1\ntf1.log(x)")
    assert [name for _, name in scans.found(tmp_path)] == ["tf.log"] * 2


def test_one_of_two_packages_of_a_name_is_not_guessed(tmp_path, write):
    for place in ("a", "b"):
        write(f"{place}/deep/utils.py", "import tensorflow as tf1")
    write("c/job.py", "from deep.utils import tf1\ntf1.log(x)")
    assert scans.found(tmp_path) == []


def test_of_several_stars_the_one_that_has_it(tmp_path, write):
    write("utils.py", "import tensorflow as tf1")
    stars = "from utils import *\nfrom tensorflow.contrib.layers import *\nfrom os import *\n"
    write("job.py", f"{stars}tf1.log(x)\nconv2d(x)\npath.join(x)")
    assert [name for _, name in scans.found(tmp_path)] == [
        "tf.contrib.layers",
        "tf.log",
        "tf.contrib.layers.conv2d",
    ]


def test_what_a_module_has_of_its_own_is_not_its_stars(tmp_path, write):
    write("cells.py", "from tensorflow.python.ops.rnn_cell import *\nclass GRUCell(RNNCell): pass")
    write("job.py", "from cells import GRUCell, LSTMCell\nGRUCell(3)\nLSTMCell(3)")
    names = [
        (f.line, f.symbol.name) for f in scans.scan(tmp_path).findings if f.path.endswith("job.py")
    ]
    cell = "tf.python.ops.rnn_cell.LSTMCell"
    assert names == [(1, cell), (3, cell)]


def test_a_module_beside_the_file_comes_before_one_further_up(tmp_path, write):
    write("utils.py", "tf = None")
    write("a/utils.py", "import tensorflow as tf")
    write("a/job.py", "from utils import tf\ntf.log(x)")
    write("b/job.py", "from utils import tf\ntf.log(x)")
    assert [f.path for f in scans.scan(tmp_path).findings] == [str(tmp_path / "a/job.py")]


def test_modules_that_import_one_another_without_end(tmp_path, write):
    write("a.py", "from b import *")
    write("b.py", "from a import *\nfrom a import x\nx.log()")
    assert scans.found(tmp_path) == []


def test_a_file_that_the_scan_fails_at_hides_no_other(tmp_path, write, monkeypatch):
    def read_file(source, *args):
        if source.path.endswith("b.py"):
            raise ZeroDivisionError("planted")
        return read(source, *args)

    for name in "abc":
        write(f"{name}.py", "import tensorflow as tf\ntf.estimator.Estimator(f)\n")
    read = reading.read_file
    monkeypatch.setattr(reading, "read_file", read_file)
    result = scans.scan(tmp_path)
    errors = {path[-4:]: read.error for path, read in result.files.items() if read.error}
    assert [*errors] == ["b.py"]
    assert "ZeroDivisionError: planted (test_scanner.py:" in errors["b.py"]
    assert len(result.findings) == 2


def test_generated_files_are_read_only_when_they_are_named(tmp_path, write):
    write("x_pb2.py", "import tensorflow as tf\ntf.log(x)")
    assert scans.found(tmp_path) == []
    assert scans.found(tmp_path / "x_pb2.py") == [(2, "tf.log")]


def test_several_processes_find_the_same(tmp_path, write):
    # A single process reads a small number of files.
    for i in range(200):
        write(f"job_{i}.py", f"from base import tf\ntf.log({i})")
    write("base.py", "import tensorflow as tf")
    several = scanner.scan_paths([str(tmp_path)], processes=2)
    assert several.findings == scans.scan(tmp_path).findings
    assert len(several.findings) == 200


def test_nothing_is_imported_or_executed(tmp_path, write):
    write("job.py", "import tensorflow as tf\nraise SystemExit(tf.log)")
    write("__init__.py", "raise SystemExit('imported')")
    assert len(scans.found(tmp_path)) == 1
