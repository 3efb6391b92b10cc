"""The canned estimators of the v1 API."""
