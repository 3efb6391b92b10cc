"""Hides pandas, as in an installation of the core: tf_keras takes half a second to import it."""

raise ModuleNotFoundError("pandas is hidden: see tests/cluster/core.py", name="pandas")
