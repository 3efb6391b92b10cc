"""Folder that `running.record` puts on PYTHONPATH: Python runs its `sitecustomize` first."""
