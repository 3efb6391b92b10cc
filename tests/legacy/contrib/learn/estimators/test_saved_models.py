"""Test of exports that rewrite the graph."""

import numpy as np
import pytest
import tensorflow as tf


def test_rewriting_graphs_is_refused(estimator):
    estimator.fit(x=np.ones([4, 2]), y=np.ones(4), steps=1)
    specs = [((tf.saved_model.SERVING,), ()), (("other",), ("quantize",))]
    rewrite = [type("Spec", (), {"tags": tags, "transforms": t}) for tags, t in specs]
    with pytest.raises(NotImplementedError, match="leave graph_rewrite_specs out"):
        estimator.export_savedmodel("unused", lambda: None, graph_rewrite_specs=rewrite)
