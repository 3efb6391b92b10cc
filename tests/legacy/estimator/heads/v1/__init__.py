"""Tests of heads of the v1 API. See also tests/oracle/programs/head_v1.py and head_contrib.py."""
