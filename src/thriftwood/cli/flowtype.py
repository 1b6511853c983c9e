"""``thriftwood flowtype``: the type of a byte stream, from a corpus to an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thriftwood.cli.fit import Settings
from thriftwood.cli.options import CostsFile, Jobs, Json, Seed
from thriftwood.cli.printing import console, plainly

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

CorpusFolder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a corpus.", file_okay=False)]
Folders = Annotated[
    list[Path] | None,
    typer.Option("--from", metavar="FOLDER", help="Index the files of FOLDER/TYPE/SOURCE/. Repeatable."),
]
Debian = Annotated[
    bool,
    typer.Option(
        "--debian",
        help="Build the eight types from Debian packages: downloaded (1.3 GB), unpacked, not installed.",
    ),
]
FilesPerBundle = Annotated[
    int, typer.Option("--files", min=1, help="With --debian: files of each type per bundle of packages.")
]
ChunksPerFile = Annotated[int, typer.Option("--chunks", min=1, help="Chunks of 16 KB per file.")]
MinBytes = Annotated[
    int | None, typer.Option(metavar="BYTES", help="With --from: leave out smaller files; 20480 at least.")
]
PricesOutput = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the price list, a .toml or .json file."),
]
Rounds = Annotated[int, typer.Option(min=1, help="Everything is timed so often; the shortest time counts.")]
ModelOutput = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the model to this JSON file.")
]
ErrorCost = Annotated[
    float | None,
    typer.Option(metavar="AMOUNT", help="What a mistake costs, in the unit of the prices (microseconds)."),
]
Holdout = Annotated[
    float,
    typer.Option(metavar="SHARE", help="Judge a tree on this share of the sources, learnt from others."),
]
FalseAlarms = Annotated[
    float,
    typer.Option(
        metavar="SHARE",
        min=0.0,
        max=0.5,
        help="The share of chunks of known types that may be called unknown by mistake; 0: none is.",
    ),
]
Algorithm = Annotated[
    str, typer.Option(metavar="NAME", help="The learner; `thriftwood algorithms` lists them.")
]
StreamFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A file or a capture (pcap, pcapng); - reads standard input.",
        allow_dash=True,
        dir_okay=False,
    ),
]
Captures = Annotated[
    list[Path] | None,
    typer.Option(
        "--capture", metavar="FILE", help="Take streams of this capture. Repeatable.", dir_okay=False
    ),
]
Labels = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="With --capture: a type, a tab and SOURCE > TARGET on every line; * stands for anything.",
        dir_okay=False,
    ),
]
Plain = Annotated[bool, typer.Option("--plain", help="Take a capture for a stream like any other.")]
StreamModel = Annotated[
    Path,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="What `flowtype train` saved; - reads it from standard input.",
        allow_dash=True,
        dir_okay=False,
    ),
]


@app.callback()
def flowtype() -> None:
    """Tell the type of a byte stream from a few cheap statistics.

    Example: thriftwood flowtype measure -o microseconds.toml
    """


@app.command()
@plainly
def corpus(
    folder: CorpusFolder,
    sources: Folders = None,
    captures: Captures = None,
    labels: Labels = None,
    debian: Debian = False,
    files: FilesPerBundle = 10,
    chunks: ChunksPerFile = 3,
    min_bytes: MinBytes = None,
    as_json: Json = False,
) -> None:
    """Build a corpus of files of known types, or index one; its sources stay apart.

    --debian needs apt-get, dpkg-deb, ffmpeg, lame, openssl and Pillow, some 6 GB and a quarter of an hour.
    What is there already is not made again.

    Example: thriftwood flowtype corpus streams --from recordings --from downloads
    """
    if debian + bool(sources) + bool(captures) != 1:
        raise typer.BadParameter(
            "Where do the files come from? Give --from FOLDER, --capture FILE, or --debian, one of them."
        )
    if (labels is None) == bool(captures):
        raise typer.BadParameter("--capture FILE and --labels FILE go together: the labels have the types.")
    if not sources and min_bytes is not None:
        made = (
            "streams of fewer than 20,480 bytes are left out of a corpus of captures"
            if captures
            else "--debian makes files of 53,248 bytes or more"
        )
        raise typer.BadParameter(f"--min-bytes is for --from; {made}.")
    from thriftwood.cli.flowtype_page import (  # loads numpy: not for `--help`
        build_and_print,
        capture_and_print,
        index_and_print,
    )

    if captures and labels is not None:
        capture_and_print(console(), folder, captures, labels, chunks, as_json)
    elif debian:
        build_and_print(console(), folder, files, chunks, as_json)
    else:
        index_and_print(console(), folder, sources or [], min_bytes, chunks, as_json)


@app.command()
@plainly
def measure(
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Time on chunks of this corpus instead of noise and text."),
    ] = None,
    rounds: Rounds = 60,
    output: PricesOutput = None,
) -> None:
    """Time every feature on this machine; print or write the prices in microseconds.

    Example: thriftwood flowtype measure -o microseconds.toml
    """
    from thriftwood.cli.flowtype_page import measure_and_print
    from thriftwood.cli.writing import check_folder

    check_folder(output)
    measure_and_print(console(), corpus, rounds, output)


@app.command()
@plainly
def train(
    corpus: CorpusFolder,
    output: ModelOutput = None,
    costs: CostsFile = None,
    algorithm: Algorithm = "lasc",
    settings: Settings = None,
    error_cost: ErrorCost = None,
    holdout: Holdout = 1 / 3,
    false_alarms: FalseAlarms = 0.05,
    seed: Seed = 0,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """Learn to tell types, and judge what is learnt so on sources it has not seen.

    Streams that are like no type are unknown; --false-alarms says how many of known types may be, by mistake.
    Without --costs the features are timed first. What is saved learns from the whole corpus. Besides learners
    of one tree --algorithm takes gradient-boosting, boosting, bagging, inverse-boosting, shortcut-forest and
    cocost.

    Example: thriftwood flowtype train streams --costs microseconds.toml --set alpha=0.3 -o types.json
    """
    from thriftwood.cli.flowtype_page import TrainOptions, train_and_print
    from thriftwood.cli.writing import check_model, check_spared
    from thriftwood.flowtype.corpus import INDEX

    check_spared(output, price_list=costs, index_of_the_corpus=corpus / INDEX)
    check_model(output)
    wanted = TrainOptions(
        corpus, output, costs, algorithm, settings or [], error_cost, holdout, seed, jobs, false_alarms
    )
    train_and_print(console(), wanted, as_json)


@app.command()
@plainly
def classify(file: StreamFile, model: StreamModel, plain: Plain = False, as_json: Json = False) -> None:
    """Tell the type of a file or a stream, what was computed for it, and what that cost.

    The first 4 KB are passed over, where a header would be; the next 16 KB are enough. Of a capture (pcap or
    pcapng) every stream is put together and told, a line each as it ends; with --json a JSON object each.

    Example: thriftwood flowtype classify recording.dat --model types.json
    """
    from thriftwood.cli.flowtype_page import classify_and_print

    classify_and_print(console(), file, model, plain, as_json)
