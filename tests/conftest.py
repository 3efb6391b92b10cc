"""Settings and hooks that every test relies on, for pytest and for `make test` alike."""

import gc
import logging
import os
import pathlib
import random
import signal
import sys

import pytest

from modern.process import chosen_keras, frame_memory
from tests import long_files, slow_tests
from tests.cluster import core
from tests.oracle import background

OBSERVATION = pytest.StashKey[background.Observation]()

# OpenBLAS starts threads in each process that imports numpy or scipy, and they spin for a tenth of
# a second of processor time. The tests' matrices are too small to gain from a second thread.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# As the apps set it. JAX, which TensorFlow imports if it is installed, would set 1 for all
# processes that the tests start.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

# Containers often set this variable, and then each process would compile every module again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell that starts a program in the background, and nohup, make it ignore these signals, and
# every program that a test starts would inherit that. Tests of Ctrl-C need the default.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the choice of the Keras, which a process makes once."""
    parser.addoption("--keras", choices=("2", "3"), default="2", help="Keras of the tests.")


def pytest_configure(config: pytest.Config) -> None:
    """Chooses the Keras, before a test module imports it."""
    if config.option.keras == "3":
        chosen_keras.choose(3)


def pytest_ignore_collect(collection_path: pathlib.Path, config: pytest.Config) -> bool | None:
    """Leaves out files without tests of Keras 3, which may be unable to import what they test."""
    if config.option.keras == "2" or collection_path.suffix != ".py":
        return None
    return "pytest.mark.keras(" not in collection_path.read_text() or None


def pytest_collection() -> None:
    """Stops the garbage collector during collection: importing TensorFlow then costs half."""
    gc.disable()


@pytest.hookimpl(tryfirst=True)  # Before `-m` selects tests by their marks.
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks slow and long tests, and moves those that wait for the oracle's programs to the end.

    The oracle's programs run beside the tests of clusters. Tests of the other Keras are deselected.
    """
    _select_tests_of_keras(config, items)
    slow_tests.mark(items)
    long_files.mark(items)
    items.sort(key=_waits_for_the_oracle)


def _select_tests_of_keras(config: pytest.Config, items: list[pytest.Item]) -> None:
    version = int(config.option.keras)
    of_version = [item for item in items if version in _keras_of(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in of_version])
    items[:] = of_version


def _keras_of(item: pytest.Item) -> tuple[int, ...]:
    mark = item.get_closest_marker("keras")
    return mark.args if mark else (2,)


def _waits_for_the_oracle(item: pytest.Item) -> bool:
    return "seen" in item.fixturenames


def pytest_collection_finish(session: pytest.Session) -> None:
    """Starts the garbage collector again, and the oracle's programs that the tests need."""
    gc.freeze()
    gc.enable()
    # Graphs are large. The default thresholds would scan them many times during their construction.
    gc.set_threshold(100_000, 20, 20)
    asked = [item.callspec.params for item in session.items if _waits_for_the_oracle(item)]
    if asked and not session.config.option.collectonly:
        programs: dict[str, list[str]] = {}
        for case in asked:
            programs.setdefault(case["api"], []).append(case["name"])
        session.config.stash[OBSERVATION] = background.Observation(programs)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> object:
    """Runs a test with room on the stack, and its processes on the core packages alone.

    This includes the test's fixtures. Afterwards the settings of TensorFlow's logger are restored,
    so that no test's logs depend on the settings of a command or an app.
    """
    _start_random_numbers_again()
    run = item.config.pluginmanager.getplugin("runner").pytest_runtest_protocol
    os.environ.update(core.environment(os.environ))
    logger = logging.getLogger("tensorflow")
    level, propagates = logger.level, logger.propagate
    done = frame_memory.with_room(run)(item, nextitem)
    logger.setLevel(level)
    logger.propagate = propagates
    os.environ.update(core.whole_environment(os.environ))
    return done


def _start_random_numbers_again() -> None:
    """Seeds Python, numpy and Keras, so that no test depends on the tests before it.

    Keras' layers take their seeds from Python, so a model begins with the same weights in each run
    of a test. TensorFlow itself is left without a seed, as in most programs.
    """
    random.seed(0)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(0)
    if keras := sys.modules.get("tf_keras" if chosen_keras.version() == 2 else "keras"):
        keras.utils.set_random_seed(0)
    if tensorflow := sys.modules.get("tensorflow"):
        tensorflow.random.set_seed(None)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the oracle's programs if the session ends before they do."""
    if OBSERVATION in config.stash:
        config.stash[OBSERVATION].close()
