"""Why a number is what it is, and why something is not there."""
