"""The time of many drawings: in one process, by the command, and with Ray.

    python tests/benches/libraries/throughput.py FOLDER BOXWOOD [--ray]

FOLDER has SVG files, of which the first 2,000 count, and BOXWOOD is a release build of the command. All boxes of all elements
are computed. `--ray` needs `pip install "ray[data]"`, and repeats the drawings 25 times.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import boxwood

N_DRAWINGS = 2000
N_RUNS = 9
REPEATS = 25
N_FILES = 20


def measured(name: str, n_drawings: int, run: Callable[[], int], runs: int = N_RUNS) -> None:
    """Prints a row of a table. `run` returns the number of its rows of boxes, which must not change."""
    times, processor, counts = [], [], set()
    for _ in range(runs):
        before, start = os.times(), time.perf_counter()
        counts.add(run())
        times.append(time.perf_counter() - start)
        processor.append(sum(os.times()[:4]) - sum(before[:4]))
    (count,) = counts
    rate = n_drawings / statistics.median(times)
    print(
        f"| {name} | {statistics.median(times):.3f} s | {min(times):.3f} s | {statistics.median(processor):.3f} s "
        f"| {rate:,.0f} | {count:,} |",
        flush=True,
    )


def by_command(program: Path, files: list[str], jobs: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        names, output = Path(folder, "names"), Path(folder, "boxes.csv")
        names.write_text("\n".join(files))
        with output.open("wb") as out:
            command = [program, "query", "--files-from", names, "--format", "csv", "--backend", "cpu", "--jobs", str(jobs)]
            subprocess.run(command, stdout=out, check=True)
        with output.open("rb") as lines:
            return sum(1 for _ in lines) - 1


def by_ray(texts: list[str]) -> None:
    import pyarrow
    import pyarrow.parquet
    import ray

    with tempfile.TemporaryDirectory() as folder:
        for i in range(N_FILES):
            part = texts[i::N_FILES]
            pyarrow.parquet.write_table(pyarrow.table({"id": range(len(part)), "svg": part}), Path(folder, f"{i}.parquet"))
        for n_workers in (1, 2):
            ray.init(num_cpus=n_workers, include_dashboard=False, logging_level="error", log_to_driver=False)
            ray.data.DataContext.get_current().enable_progress_bars = False

            def run() -> int:
                dataset = ray.data.read_parquet(folder).repartition(target_num_rows_per_block=2048)
                options = {"key": "id", "threads": 1}
                boxes = dataset.map_batches(boxwood.annotate, batch_format="pyarrow", batch_size=256, fn_kwargs=options)
                return int(boxes.count())

            measured(f"Ray, {n_workers} workers", len(texts), run, runs=3)
            ray.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("boxwood", type=Path)
    parser.add_argument("--ray", action="store_true")
    options = parser.parse_args()
    files = [str(path) for path in sorted(options.folder.glob("*.svg"))[:N_DRAWINGS]]
    texts = [Path(file).read_text() for file in files]
    print(f"{len(files):,} drawings of {sum(map(len, texts)) // len(texts):,} bytes\n")
    print("| | median | best | processor | drawings/s | rows |\n|---|---|---|---|---|---|")
    for n in (1, 2):
        measured(f"`boxwood.boxes`, {n} threads", len(files), lambda: len(boxwood.boxes(files, threads=n)))
        measured(f"`boxwood query --jobs {n}`", len(files), lambda: by_command(options.boxwood, files, n))
    many = files * REPEATS
    for n in (1, 2):
        measured(f"`boxwood.boxes`, {n} threads, {REPEATS} times", len(many), lambda: len(boxwood.boxes(many, threads=n)), runs=3)
    if options.ray:
        by_ray(texts * REPEATS)


if __name__ == "__main__":
    main()
