"""The canned estimators of the v2 API: ready models behind feature columns."""
