#!/usr/bin/env python3
"""Measures builds: measure.py PACEBOARD OUTPUT DATA…"""

import gzip
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 11
KINDS = ("html", "svg", "css", "js", "json", "csv")


def run(command):
    """Seconds, seconds of all cores together, and peak resident memory in MB of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))} exited with {process.returncode}")
    # Linux counts in kB, macOS in bytes.
    peak = usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
    return seconds, usage.ru_utime + usage.ru_stime, peak


def kb(size):
    return f"{size / 1000:.1f} kB"


def weigh(site):
    """Number of files, total size, and the heaviest page, figure, style sheet and script."""
    files = [(path, path.stat().st_size) for path in sorted(site.rglob("*")) if path.is_file()]
    print(f"  {len(files)} files, {sum(size for _, size in files) / 1e6:.2f} MB")
    for kind in KINDS:
        mine = [(size, path) for path, size in files if path.suffix == f".{kind}"]
        if not mine:
            continue
        size, path = max(mine)
        packed = len(gzip.compress(path.read_bytes(), 9))
        print(f"  {kind}: {len(mine)} files, median {kb(statistics.median(s for s, _ in mine))}, "
              f"largest {kb(size)} ({kb(packed)} gzip) {path.relative_to(site).as_posix()}")


def main(program, output, folders):
    for folder in folders:
        site = Path(output) / f"site-of-{Path(folder).name}"
        command = [program, "build", "--data", folder, "--out", str(site)]
        runs = [run(command) for _ in range(RUNS)]
        seconds = sorted(seconds for seconds, _, _ in runs)
        cpu = statistics.median(cpu for _, cpu, _ in runs)
        rows = 0
        for path in Path(folder).glob("studies/*/latencies/*.csv"):
            with path.open("rb") as lines:
                rows += sum(1 for _ in lines) - 1
        print(f"{folder}: {rows} latency rows")
        print(f"  build: median {statistics.median(seconds) * 1e3:.0f} ms of {RUNS} runs "
              f"({seconds[0] * 1e3:.0f}–{seconds[-1] * 1e3:.0f}), {cpu * 1e3:.0f} ms of "
              f"processor time, peak memory {max(peak for _, _, peak in runs):.1f} MB")
        check = [run([program, "check", "--data", folder])[0] for _ in range(RUNS)]
        print(f"  check: median {statistics.median(check) * 1e3:.0f} ms")
        weigh(site)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
