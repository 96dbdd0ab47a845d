"""What every server of ours has: limits of time and number, names it answers under, who is let in."""
