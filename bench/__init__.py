"""The benchmarks: each job beside what a user would write or pick instead, in the same run."""

import os

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(threads, "1")  # one thread each; it must be said before numpy is loaded
