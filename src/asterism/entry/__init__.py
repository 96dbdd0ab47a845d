"""The surfaces people and agents reach it by; one vocabulary everywhere."""
