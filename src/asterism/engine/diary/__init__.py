"""Values told day by day: reading a diary, telling a day, what is missing, and what a week was like."""
