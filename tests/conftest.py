"""What all tests rely on, whoever starts them and however."""

import gc
import logging
import os
import random
import signal
import sys

import pytest

from modern.process import frame_memory
from tests.cluster import core
from tests.oracle import background

OBSERVATION = pytest.StashKey[background.Observation]()

# Else numpy's and scipy's threads spin, a tenth of a second of processor in each process that
# imports them, for multiplications that are too small for two.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Containers often say that nothing compiled is kept; each process would compile all of it again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell that starts a program in the background, and nohup, have it ignore these, and so would
# every program that a test starts. Tests of Ctrl-C are about programs that a person starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection() -> None:
    """Test modules import TensorFlow, at half the cost where nothing is collected meanwhile."""
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits for the oracle's programs comes last, so that all clusters run beside them."""
    items.sort(key=_waits_for_the_oracle)


def _waits_for_the_oracle(item: pytest.Item) -> bool:
    return "seen" in item.fixturenames


def pytest_collection_finish(session: pytest.Session) -> None:
    """From here on the collector works, on what the tests make; the oracle's programs begin."""
    gc.freeze()
    gc.enable()
    # Graphs are large: the default looks through them again and again while they are made.
    gc.set_threshold(100_000, 20, 20)
    asked = [item.callspec.params for item in session.items if _waits_for_the_oracle(item)]
    if asked and not session.config.option.collectonly:
        programs: dict[str, list[str]] = {}
        for case in asked:
            programs.setdefault(case["api"], []).append(case["name"])
        session.config.stash[OBSERVATION] = background.Observation(programs)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> object:
    """Runs a test as pytest does, with room; what it starts on the core alone, fixtures included.

    What commands and apps set for TensorFlow's logger is undone: no other test's logs depend on it.
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
    """Lets no test depend on the random numbers, and on the seed, of those before it.

    Keras' layers take their seeds from Python, so a model begins with the same weights in each run
    of a test. TensorFlow itself is left without a seed, as most programs have it.
    """
    random.seed(0)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(0)
    if keras := sys.modules.get("tf_keras"):
        keras.utils.set_random_seed(0)
    if tensorflow := sys.modules.get("tensorflow"):
        tensorflow.random.set_seed(None)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the oracle's programs, where the session ended before them."""
    if OBSERVATION in config.stash:
        config.stash[OBSERVATION].close()
