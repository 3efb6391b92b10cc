"""Fixture that builds the legacy side once for the many cases of a module.

from tests.migrate.verify.sharing import shared_graphs
"""

import contextlib

import pytest

from migrate.verify.sides import legacy_model, tolerances


@pytest.fixture(scope="module", autouse=True)
def shared_graphs():
    """Keeps the graphs of a model_fn, by parameters and mode, for the whole module.

    Rounding noise is measured with two runs instead of four, since these tests do not depend on it.
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
