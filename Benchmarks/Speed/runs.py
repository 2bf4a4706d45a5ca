"""usage: runs.py FRAMETOOL COUNT FILE

Writes summaries of COUNT runs of 3,600 frames for 'frametool fleet': 60 runs are analyzed, and their
lines are repeated under other identities.
"""

import os
import re
import subprocess
import sys
import tempfile

program, count, path = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
scenarios = ["app-overrun", "dropped-frames", "uncapped-game"]

with tempfile.TemporaryDirectory() as folder:
    for scenario in scenarios:
        for seed in range(1, 21):
            place = f"{folder}/traces/{scenario}/phone-{seed % 4}"
            os.makedirs(place, exist_ok=True)
            generate = [program, "generate", scenario, "--frames", "3600", "--seed", str(seed)]
            subprocess.run(
                generate + ["--encode", "presentmon-v2", "-o", f"{place}/{seed}.csv"], check=True
            )
    # From within the folder, whose name would be in every line.
    summarize = [program, "analyze", "--quiet", "--summary", "runs.jsonl"]
    subprocess.run(
        summarize + ["--tag-path", "{scene}/{device}/*.csv", "traces"],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with open(f"{folder}/runs.jsonl") as lines:
        head, *runs = lines.read().splitlines()

with open(path + ".part", "w") as out:
    print(head, file=out)
    for number in range(count):
        run = runs[number % len(runs)]
        print(re.sub(r'"id":"[0-9a-f]{16}"', f'"id":"{number:016x}"', run, count=1), file=out)
os.replace(path + ".part", path)
