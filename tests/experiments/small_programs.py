"""Two small programs, in Python and in C, whose two faults get the same message."""

from pathlib import Path

from thriftwood.experiments.clarify.programs.building import Build
from thriftwood.experiments.clarify.programs.program import NativeProgram, PythonProgram

FAULTS = {"letters": "A line is no number.", "negative": "A number is below zero."}

SCRIPT = """
import sys

def number(line):
    return int(line)

def refuse():
    sys.stderr.write("bad input\\\\n")
    sys.exit(1)

def check(value):
    if value < 0:
        refuse()

def add(total, line):
    try:
        value = number(line)
    except ValueError:
        refuse()
    check(value)
    return total + value

total = 0
for line in open(sys.argv[1]):
    total = add(total, line)
print(total)
""".replace("\\\\", "\\")

SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>

#define STEP __attribute__((noinline)) static

STEP void refuse(void) { fprintf(stderr, "bad input\n"); exit(1); }
STEP long number(const char *line, char **end) { return strtol(line, end, 10); }
STEP void check(long value) { if (value < 0) refuse(); }
STEP long add(long total, const char *line) {
    char *end;
    long value = number(line, &end);
    if (end == line) refuse();
    check(value);
    return total + value;
}

int main(int argc, char **argv) {
    char line[256];
    long total = 0;
    FILE *file = fopen(argv[1], "r");
    while (fgets(line, sizeof line, file)) total = add(total, line);
    printf("%ld\n", total);
    return 0;
}
"""


def lines(random, fault, size):
    values = [str(random.randint(0, 99)) for _ in range(size * random.randint(20, 60))]
    if fault is not None:
        values[random.randrange(len(values))] = "abc" if fault == "letters" else "-5"
    return "".join(f"{value}\n" for value in values).encode()


class SmallPython(PythonProgram):
    name = "adder.py"
    package = "numpy"
    module = "json"
    suffix = ".txt"
    large = 3
    classes = FAULTS

    def __init__(self, folder: Path) -> None:
        self.script = folder / "scripts" / "adder.py"
        self.script.parent.mkdir(exist_ok=True)
        self.script.write_text(SCRIPT)

    def command(self, installed, given):
        return [str(installed), str(self.script), str(given)]

    def written(self, random, fault, size=1):
        return lines(random, fault, size)


class SmallNative(NativeProgram):
    name = "adder"
    suffix = ".txt"
    large = 500
    classes = FAULTS
    archives = ()

    def __init__(self, folder: Path) -> None:
        self.source = folder / "scripts" / "adder.c"
        self.source.parent.mkdir(exist_ok=True)
        self.source.write_text(SOURCE)

    def compile(self, build: Build, sources):
        build.link(self.name, [self.source], at=self.source.parent)

    def written(self, random, fault, size=1):
        return lines(random, fault, size)
