"""The page that a service shows: its files, and the policy they are served with."""
