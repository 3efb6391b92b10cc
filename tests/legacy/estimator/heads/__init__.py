"""Heads. What they compute is compared with the original by tests/oracle/programs/head_*.py."""
