"""``thriftwood clarify``: from a confusing failure to a clear message."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from thriftwood.cli.options import STANDARD, Folds, Jobs, Json, Seed
from thriftwood.cli.printing import console, plainly

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

WATCHED = Path("clarify-runs")
"""Where watched runs go, unless somebody says otherwise."""


class Mode(StrEnum):
    """What to record."""

    fc = "fc"
    ctp = "ctp"


class Search(StrEnum):
    """How to look for the cheapest tree."""

    thrifty = "thrifty"
    greedy = "greedy"


class Evidence(StrEnum):
    """What a run shows for nothing."""

    ending = "ending"
    exception = "exception"
    message = "message"
    duration = "duration"


class Language(StrEnum):
    """What a model can be exported to."""

    c = "c"


class When(StrEnum):
    """After which runs a diagnosis is printed."""

    failure = "failure"
    always = "always"
    never = "never"


RecordingFolder = Annotated[
    Path, typer.Argument(metavar="DIR", help="The folder of a recording.", file_okay=False)
]
ClarifyModel = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model of `clarify learn`.", dir_okay=False)
]
CommandLine = Annotated[
    list[str] | None, typer.Argument(metavar="-- COMMAND...", help="The program and its arguments.")
]
OneCommandLine = Annotated[
    list[str], typer.Argument(metavar="-- COMMAND...", help="The program and its arguments.")
]
RunsFile = Annotated[
    Path | None,
    typer.Option(
        "--runs",
        metavar="FILE",
        help="Many runs, a line each: label, tab, command line; or .jsonl with command, label, stdin, cwd.",
        dir_okay=False,
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(metavar="LABEL", help="Of a file of runs those of this label alone. Repeatable."),
]
Label = Annotated[str | None, typer.Option(metavar="LABEL", help="What the run is called.")]
LabelByExit = Annotated[
    bool, typer.Option("--label-by-exit", help="Runs without a label are called by their exit code.")
]
LabelIf = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LABEL=PATTERN",
        help="Runs without a label get this one if the pattern is in their output. Repeatable.",
    ),
]
Otherwise = Annotated[
    str | None, typer.Option(metavar="LABEL", help="The label where no --label-if pattern is found.")
]
RecordMode = Annotated[Mode, typer.Option(help="Record calls (fc), or call trees too (ctp).")]
Timeout = Annotated[
    float, typer.Option(metavar="SECONDS", min=0.0, help="Kill a run after so long; 0: never.")
]
User = Annotated[str | None, typer.Option(help="Run the program as this user (root only).")]
Features = Annotated[
    Mode | None, typer.Option(help="Learn from calls (fc) or call trees (ctp); by default what was recorded.")
]
Without = Annotated[
    list[Evidence] | None,
    typer.Option(
        metavar="KIND",
        help="Free evidence to leave alone: ending (exit code or signal), exception, message (on standard "
        "error), duration. Repeatable.",
    ),
]
Messages = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help='What to say for each label: a .toml or .json file, label = "text".',
        dir_okay=False,
    ),
]
Within = Annotated[
    float,
    typer.Option(
        metavar="LOSS", help="How much accuracy may be lost against a tree blind to prices: 0.01 is a point."
    ),
]
FalseAlarms = Annotated[
    float,
    typer.Option(
        metavar="SHARE",
        help="The share of runs of recorded causes that may be called unknown by mistake, by folds.",
    ),
]
Why = Annotated[bool, typer.Option("--why", help="Say what was seen and how sure it is, too.")]
Span = Annotated[
    float | None,
    typer.Option(
        metavar="UNITS",
        help="What following a call costs by what counting it costs; 5 for Python, 80 for native programs.",
    ),
]
ModelOutput = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the model to this JSON file.")
]
WatchedFolder = Annotated[
    Path, typer.Option("--folder", metavar="DIR", help="Where watched runs are kept.", file_okay=False)
]


@app.callback()
def clarify() -> None:
    """Explain a program's confusing failure by cheap monitoring.

    Example: thriftwood clarify flags
    """


@app.command()
@plainly
def record(
    folder: RecordingFolder,
    command: CommandLine = None,
    runs: RunsFile = None,
    only: Only = None,
    label: Label = None,
    label_by_exit: LabelByExit = False,
    label_if: LabelIf = None,
    otherwise: Otherwise = None,
    mode: RecordMode = Mode.ctp,
    timeout: Timeout = 60.0,
    user: User = None,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Run a program, once or many times, and keep what each run did.

    Runs are added to those that are in the folder already. Python programs run as they are; native ones must
    be compiled with the options that `thriftwood clarify flags` prints.

    Example: thriftwood clarify record runs --label "missing brace" -- python -m pycparser broken.c
    """
    if (runs is None) == (not command):
        raise typer.BadParameter(
            "What is to be run? Give --runs FILE, or -- and a command line, one of them."
        )
    if only and runs is None:
        raise typer.BadParameter("--only chooses runs of a file; give --runs FILE.")
    if label is not None and runs is not None:
        raise typer.BadParameter("--label is for one command line; in a file each run has its own label.")
    if otherwise is not None and not label_if:
        raise typer.BadParameter("--otherwise is for runs in which no pattern of --label-if is found.")
    if label_by_exit and label_if:
        raise typer.BadParameter("--label-by-exit and --label-if both give labels. Choose one.")
    from thriftwood.cli.clarify_page import RecordOptions, record_and_print  # loads numpy: not for `--help`

    wanted = RecordOptions(
        folder,
        command or [],
        runs,
        only or [],
        label,
        label_by_exit,
        label_if or [],
        otherwise,
        mode.value,
        timeout,
        user,
        jobs,
    )
    record_and_print(console(), wanted, as_json)


@app.command()
@plainly
def inspect(
    folder: RecordingFolder,
    run: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=0, help="Show one run, counted from 0.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="So many functions of a run.")] = 15,
    as_json: Json = False,
) -> None:
    """Show what was recorded: labels, exit codes, calls; or the functions of one run.

    Example: thriftwood clarify inspect runs --run 3
    """
    from thriftwood.cli.clarify_page import inspect_and_print, inspect_run_and_print

    if run is None:
        inspect_and_print(console(), folder, as_json)
    else:
        inspect_run_and_print(console(), folder, run, top, as_json)


@app.command()
@plainly
def learn(
    folder: RecordingFolder,
    output: ModelOutput = None,
    features: Features = None,
    without: Without = None,
    messages: Messages = None,
    within: Within = 0.01,
    false_alarms: FalseAlarms = 0.05,
    cv: Folds = 5,
    span: Span = None,
    search: Annotated[
        Search, typer.Option(help="Give dear functions back (thrifty), or csgain as published (greedy).")
    ] = Search.thrifty,
    seed: Seed = 0,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """Learn the cheapest tree that tells the labels apart nearly as well as one that is blind to prices.

    Every function is priced by how often it is called; a tree costs what all its functions cost together.
    How a run ended and what it said cost nothing and are learnt from, too.

    Example: thriftwood clarify learn runs --messages messages.toml -o model.json
    """
    from thriftwood.cli.clarify_learning import LearnOptions, learn_and_print
    from thriftwood.cli.writing import check_model, check_spared

    check_spared(output, file_of_messages=messages)
    check_model(output)
    wanted = LearnOptions(
        folder,
        output,
        None if features is None else features.value,
        [kind.value for kind in without or ()],
        messages,
        within,
        false_alarms,
        cv,
        span,
        search.value,
        seed,
        jobs,
    )
    learn_and_print(console(), wanted, as_json)


@app.command()
@plainly
def plan(
    model: ClarifyModel,
    messages: Messages = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="With --messages: save the model with these texts."
        ),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the plan file that a program is watched by."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show which functions must be watched, what that costs, and what is said for each label.

    Example: thriftwood clarify plan model.json --messages messages.toml -o model.json
    """
    if (messages is None) != (output is None):
        raise typer.BadParameter(
            "--messages FILE and -o FILE go together: the model is saved with the texts."
        )
    from thriftwood.cli.clarify_learning import plan_and_print
    from thriftwood.cli.writing import check_folder, check_model, check_spared

    check_spared(output, file_of_messages=messages)
    check_spared(write, model=model, file_of_messages=messages)
    check_model(output)
    check_folder(write)
    plan_and_print(console(), model, messages, output, write, as_json)


@app.command()
@plainly
def watch(
    model: ClarifyModel,
    command: OneCommandLine,
    folder: WatchedFolder = WATCHED,
    when: Annotated[
        When, typer.Option(help="Say on standard error what happened: after a failure, always or never.")
    ] = When.failure,
    why: Why = False,
    timeout: Timeout = 0.0,
) -> None:
    """Run a program with only the planned functions watched; exits as the program does.

    After a failure its message is printed, or that nothing like it was recorded; --why adds what was seen.
    What was counted is on disk at any moment, also if the program crashes or is killed.

    Example: thriftwood clarify watch model.json -- python -m pycparser broken.c
    """
    from thriftwood.cli.clarify_watching import watch_and_print

    raise typer.Exit(watch_and_print(model, command, folder, when.value, why, timeout or None))


@app.command()
@plainly
def diagnose(
    model: ClarifyModel,
    path: Annotated[
        Path,
        typer.Argument(
            metavar="[PATH]", help="A .profile file, a watched run, or a folder of them: the last."
        ),
    ] = WATCHED,
    why: Why = False,
    as_json: Json = False,
) -> None:
    """Say what happened in a watched run; --why adds how sure that is and what was seen.

    Example: thriftwood clarify diagnose model.json
    """
    from thriftwood.cli.clarify_watching import diagnose_and_print

    diagnose_and_print(console(), model, path, why, as_json)


@app.command()
@plainly
def check(
    model: ClarifyModel,
    command: OneCommandLine,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Save the model for the new build to this file."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compare a new build of a program with the one a model was learnt from; nothing is run.

    Lists which functions of the plan are unchanged, moved, changed or gone, and the labels that puts in
    doubt.

    Example: thriftwood clarify check model.json -o new-model.json -- python orders.py
    """
    from thriftwood.cli.clarify_releases import check_and_print
    from thriftwood.cli.writing import check_model

    check_model(output)
    check_and_print(console(), model, command, output, as_json)


@app.command()
@plainly
def export(
    model: ClarifyModel,
    language: Annotated[Language, typer.Option("--to", help="The language: C.")] = Language.c,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="The beginning of every name in the file.")
    ] = "explain",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write it there; without it to standard output."),
    ] = None,
) -> None:
    """Write a model of a native program as one C file that is compiled into it: it explains its own failures.

    Plan, counters and tree are in it, and nothing of Python is needed when the program runs. What a program
    writes is not known inside of it: learn with --without message --without exception.

    Example: thriftwood clarify export model.json --to c -o explain.c
    """
    from thriftwood.base.saving import save_text
    from thriftwood.clarify.exporting import export_c
    from thriftwood.clarify.model import Model
    from thriftwood.cli.writing import check_folder, check_spared

    check_spared(output, model=model)
    check_folder(output)
    text = export_c(Model.load(model), name)
    if output is None or output == STANDARD:
        typer.echo(text, nl=False)
    else:
        save_text(output, text, encoding="ascii")


@app.command()
@plainly
def flags(
    cxx: Annotated[bool, typer.Option("--cxx", help="For C++, with what linking needs.")] = False,
    inlined: Annotated[
        bool,
        typer.Option(
            "--inlined",
            help="Let the compiler inline functions: quicker, and what is inlined is not told apart.",
        ),
    ] = False,
    fallback: Annotated[
        bool, typer.Option("--fallback", help="For compilers without that option; all functions pay.")
    ] = False,
) -> None:
    """Print the options with which a native program is compiled so that it can be recorded.

    They leave room at the beginning of every function and keep functions from being inlined, so that an
    optimised program tells as much as one that is not. For gcc and clang.

    Example: make CFLAGS="-O2 $(thriftwood clarify flags)"
    """
    from thriftwood.clarify.native import FALLBACK_FLAGS, FLAGS, KEEP_FLAGS, link_flags

    room = (*(FALLBACK_FLAGS if fallback else FLAGS), *(() if inlined else KEEP_FLAGS))
    typer.echo(" ".join((*room, *(link_flags() if cxx and not fallback else ()))))
