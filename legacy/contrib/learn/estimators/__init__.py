"""TODO: door plate."""
