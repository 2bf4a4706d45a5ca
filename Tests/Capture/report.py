"""What is found, as lines for people and as tables."""
import sys


class Skip(Exception):
    """A check cannot be made here."""


def say(text):
    print(f"capture-tests: {text}", file=sys.stderr, flush=True)


class Report:
    rows = []
    failures = 0

    @classmethod
    def add(cls, check, name, measured, n, ok, why=""):
        """ok: whether it holds; None where it could not be looked at."""
        verdict = "skipped" if ok is None else "ok" if ok else "FAIL"
        if why and not ok:
            verdict += f" ({why})"
        cls.failures += ok is False
        cls.rows.append((check, name, measured, n, verdict))
        print(f"{check:<10} {name:<50} {measured:<92} n {n:<6} {verdict}", flush=True)

    @classmethod
    def markdown(cls, path):
        texts = []
        for check in dict.fromkeys(row[0] for row in cls.rows):
            texts.append(f"## {check}\n\n| what | measured | n | result |\n| --- | --- | --- | --- |")
            for row in cls.rows:
                if row[0] == check:
                    cells = " | ".join(str(cell).replace("|", "\\|") for cell in row[1:])
                    texts.append(f"| {cells} |")
            texts.append("")
        with open(path, "w") as file:
            file.write("\n".join(texts))


def within(value, share, of):
    return abs(value - of) <= share * max(abs(of), 1e-9)


def spread(values):
    ordered = sorted(values)
    return f"{ordered[0]:.3f} to {ordered[-1]:.3f}"
