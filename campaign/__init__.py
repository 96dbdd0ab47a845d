"""Hours of faults: kills, failing calls, full disks, damaged pages, hostile input; outside CI, and it can go on later.

`python -m campaign` runs every part until its goal is reached; `docs/faults.md` says what each holds to.
"""
