"""Heads of the v1 API; see also tests/oracle/programs/head_v1.py and head_contrib.py."""
