"""Tests of heads. tests/oracle/programs/head_*.py compares their values with the original."""
