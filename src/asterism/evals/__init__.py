"""Evaluations on public data: what each detector and preset is worth, with its baselines in the same run."""
