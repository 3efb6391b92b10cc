"""A fixture: the legacy side of many cases is one, and is built once.

from tests.migrate.verify.sharing import shared_graphs
"""

import contextlib

import pytest

from migrate.verify.sides import legacy_model, tolerances


@pytest.fixture(scope="module", autouse=True)
def shared_graphs():
    """Keeps the graphs of a model_fn, by its parameters and the mode, for the whole module.

    Noise, which is not what these tests are about, is measured twice and not four times.
    """
    build = legacy_model.Program.graph
    kept = {}
    with contextlib.ExitStack() as opened, pytest.MonkeyPatch.context() as patch:

        @contextlib.contextmanager
        def graph(self, mode, specs, seed=1, dropout=False):
            key = (self.model_fn, repr(self.params), mode, seed, dropout)
            if key not in kept:
                kept[key] = opened.enter_context(build(self, mode, specs, seed, dropout))
            yield kept[key]

        patch.setattr(legacy_model.Program, "graph", graph)
        patch.setattr(tolerances, "RUNS", 2)
        yield
