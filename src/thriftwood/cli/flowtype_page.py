"""The pages of ``thriftwood flowtype``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import typer
from rich.console import Console
from sklearn.utils.validation import has_fit_parameter

from thriftwood.cli.flowtype_captures import (
    Resumed,
    classify_capture_and_print,
    is_capture,
    is_packed_capture,
    percent,
    reading_on,
)
from thriftwood.cli.learners import learner_of
from thriftwood.cli.models import read_model
from thriftwood.cli.options import STANDARD
from thriftwood.cli.printing import heading, note, print_json, print_lines, table
from thriftwood.cli.progress import progress
from thriftwood.costs import Costs
from thriftwood.costs.names import counted, quoted
from thriftwood.evaluation import Bill, bill
from thriftwood.evaluation.comparisons import Learner
from thriftwood.evaluation.statement import amount
from thriftwood.flowtype import (
    FEATURES,
    Classification,
    Corpus,
    FeatureTable,
    StreamClassifier,
    Sureness,
    build_corpus,
    feature_table,
    index_folders,
    measure_sureness,
    price_list,
    split_by_source,
)
from thriftwood.flowtype.captures import CaptureError, PacketCounts, capture_corpus
from thriftwood.flowtype.captures.files import GZIP
from thriftwood.flowtype.captures.sorting import read_labels
from thriftwood.flowtype.corpus import INDEX, MIN_BYTES, count_files, types_without_sources
from thriftwood.flowtype.measuring import SourcesError
from thriftwood.flowtype.pricing import SAMPLE_CHUNKS
from thriftwood.models.model import Model

SIZES = ("2k", "4k", "8k", "16k")
UNIT = "microseconds"
FEATURES_SHOWN = 10
GZIP_HEAD = 512
"""Bytes that tell what was packed, a name of the file with them."""


class TrainOptions(NamedTuple):
    """What a user asked to be learnt."""

    corpus: Path
    output: Path | None
    costs: Path | None
    algorithm: str
    settings: Sequence[str]
    error_cost: float | None
    holdout: float
    seed: int
    jobs: int
    false_alarms: float


# Corpora


def build_and_print(out: Console, folder: Path, files: int, chunks: int, as_json: bool) -> None:
    """Build a corpus from packages."""
    with progress("bundles of packages") as tell:
        corpus = build_corpus(folder, files_per_bundle=files, chunks_per_file=chunks, tell=tell)
    _print_corpus(out, corpus, as_json)


def index_and_print(
    out: Console, folder: Path, sources: Sequence[Path], min_bytes: int | None, chunks: int, as_json: bool
) -> None:
    """Index folders of the user."""
    least = MIN_BYTES if min_bytes is None else min_bytes
    corpus = index_folders(folder, sources, min_bytes=least, chunks_per_file=chunks)
    _print_corpus(out, corpus, as_json)
    alone = types_without_sources(corpus.entries)
    if alone:
        note(
            f"All files of {quoted(alone)} lie right in the folder of their type, so each counts as a "
            "source. Files of one origin are alike: accuracy on some, learnt from others, may be too good. "
            "A folder for each origin, FOLDER/TYPE/SOURCE/file, keeps them together."
        )


def capture_and_print(
    out: Console, folder: Path, captures: Sequence[Path], labels: Path, chunks: int, as_json: bool
) -> None:
    """Make a corpus of captures; what is wrong with one is said, and does not keep the others out."""
    broken = []

    def tell(capture: Path, packets: PacketCounts, problem: CaptureError | None) -> None:
        for sentence in packets.notes:
            note(f"{capture}: {sentence}")
        if problem is not None:
            note(str(problem))
            broken.append(problem)

    corpus = capture_corpus(folder, captures, read_labels(labels), chunks_per_file=chunks, tell=tell)
    _print_corpus(out, corpus, as_json)
    if broken:
        raise CaptureError(
            f"{len(broken)} of {counted(len(captures), 'capture')} could not be read to the end; the "
            "corpus has what came before."
        )


def _print_corpus(out: Console, corpus: Corpus, as_json: bool) -> None:
    counts = count_files(corpus.entries)
    if as_json:
        index = str(corpus.folder / INDEX)
        print_json({"index": index, "files": counts, "sources": corpus.sources, "n_chunks": corpus.n_chunks})
        return
    rows = [[kind, f"{counts[kind]:,}"] for kind in corpus.types]
    out.print(table("", ["type", "files"], rows))
    print_lines(
        out,
        f"{counted(corpus.n_chunks, 'chunk')} from {counted(len(corpus.sources), 'source')}. "
        f"Written: {corpus.folder / INDEX}.",
    )


# Prices


def measure_and_print(out: Console, folder: Path | None, rounds: int, output: Path | None) -> None:
    """Time features; write the price list or print it."""
    prices = _measured(None if folder is None else Corpus.read(folder), rounds)
    if output is not None:
        prices.to_file(output)
    names = list(dict.fromkeys(name.partition("@")[0] for name in (*prices.shared, *FEATURES)))
    rows = [[name, *(_price(prices, f"{name}@{size}") for size in SIZES)] for name in names]
    needed = "Statistics come without the steps they need, which are named first and paid once."
    out.print(table(f"{UNIT} by size", ["", *SIZES], rows))
    print_lines(out, f"{needed} All {len(FEATURES)} features together: {amount(prices.total(FEATURES))}.")
    if output is not None:
        print_lines(out, f"Written: {output}.")


def _measured(corpus: Corpus | None, rounds: int = 60) -> Costs:
    if corpus is None:
        return price_list(rounds=rounds)
    every = max(1, corpus.n_chunks // SAMPLE_CHUNKS)
    chunks = [chunk for number, chunk in enumerate(corpus.chunks()) if number % every == 0]
    return price_list(chunks, rounds=rounds)


def _price(prices: Costs, name: str) -> str:
    return f"{prices.shared[name] if name in prices.shared else prices.tests[name].price:.2f}"


# Learning


def train_and_print(out: Console, wanted: TrainOptions, as_json: bool) -> None:
    """Learn, judge on other sources, save, print."""
    corpus = Corpus.read(wanted.corpus)
    costs = _prices(corpus, wanted)
    with progress("computing features"):
        cases = feature_table(corpus, n_jobs=wanted.jobs)
    held_out = split_by_source(cases.source, wanted.holdout, seed=wanted.seed)
    learner = _learner(wanted, costs)
    with progress("learning"):
        judged = _judged(learner, cases.take(~held_out), cases.take(held_out))
        model = _learnt(learner, cases)
    sureness = _sureness(learner, cases, wanted)
    if wanted.output is not None:
        _write_classifier(StreamClassifier(model, sureness), wanted.output)
    n_sources = len(set(cases.source[held_out]))
    if as_json:
        print_json(_training_content(judged, model, n_sources, wanted, costs, sureness))
        return
    basis = f"{judged.n_cases:,} chunks of {counted(n_sources, 'source')} that it had not seen"
    print_lines(out, f"Learnt by {wanted.algorithm}: {_shape(model)}.")
    print_lines(
        out,
        f"On {basis}: accuracy {judged.accuracy:.3f}, {amount(judged.mean_test_cost)} {UNIT} a chunk; "
        f"all {len(FEATURES)} features would be {amount(costs.total(FEATURES))}.",
    )
    if sureness is not None:
        print_lines(out, _sureness_words(sureness))
    columns = judged.test_columns
    rows = [
        [name, f"{share:.0%}", amount(price)]
        for name, share, price in zip(columns["test"], columns["share"], columns["mean_price"], strict=True)
        if share > 0
    ]
    heading(out, "What was paid for")
    out.print(table("", ["feature", "share of chunks", UNIT], rows[:FEATURES_SHOWN]))
    if len(rows) > FEATURES_SHOWN:
        print_lines(out, f"and {len(rows) - FEATURES_SHOWN} more")
    if wanted.output is not None:
        print_lines(out, f"Written: {wanted.output}.")


def _write_classifier(classifier: StreamClassifier, path: Path) -> None:
    if path == STANDARD:
        typer.echo(classifier.to_json())
    else:
        classifier.save(path)


def _sureness(learner: Learner, cases: FeatureTable, wanted: TrainOptions) -> Sureness | None:
    """Measure how sure types are; None if nobody asked, or there are not sources enough."""
    if not wanted.false_alarms:
        return None
    try:
        with progress("measuring how sure types are"):
            return measure_sureness(
                lambda seen: _learnt(learner, seen), cases, rate=wanted.false_alarms, seed=wanted.seed
            )
    except SourcesError as problem:
        note(f"No stream will be called unknown, and shares are not calibrated. {problem}")
        return None


def _sureness_words(sureness: Sureness) -> str:
    alarms, noticed = sureness.figures["alarms"], sureness.figures.get("noticed")
    words = f"Called unknown by mistake: {alarms:.1%} of chunks of sources that were not learnt from."
    if noticed is not None:
        words += f" Of types left out whole, {noticed:.0%} of chunks are called unknown."
    return words


def _prices(corpus: Corpus, wanted: TrainOptions) -> Costs:
    if wanted.costs is not None:
        costs = Costs.from_file(wanted.costs)
    else:
        costs = _measured(corpus)
        note("No price list (--costs): the features were timed just now, and times differ from run to run.")
    return (
        costs if wanted.error_cost is None else costs.replace(errors=None, errors_default=wanted.error_cost)
    )


def _learner(wanted: TrainOptions, costs: Costs) -> Learner:
    learner = learner_of(wanted.algorithm, wanted.settings, costs, wanted.seed)
    if not learner.learns.has_file:
        raise ValueError(
            f"{wanted.algorithm!r} asks for all features of every stream. Choose a learner of one tree, or "
            "gradient-boosting, boosting, bagging, inverse-boosting, shortcut-forest or cocost, which ask "
            "test by test."
        )
    return learner.set_params(n_jobs=wanted.jobs or -1)


def _learnt(learner: Learner, cases: FeatureTable) -> Model:
    """Learn, and return what answers."""
    return _fitted(learner, cases).model_


def _fitted(learner: Learner, cases: FeatureTable) -> Learner:
    # Chunks of one file are much alike: learners that hold cases out hold out whole files.
    given = {"groups": cases.file} if has_fit_parameter(learner, "groups") else {}
    return learner.fit(cases.X, cases.y, **given)


def _shape(model: Model) -> str:
    tree = model.single_tree
    if tree is not None:
        return f"{counted(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.depth}"
    return f"{model.size}, {counted(sum(part.tree.n_leaves for part in model.parts), 'leaf', 'leaves')}"


def _judged(learner: Learner, seen: FeatureTable, unseen: FeatureTable) -> Bill:
    missing = sorted(set(unseen.y) - set(seen.y))
    if missing:
        raise ValueError(
            f"The sources held out have the type {missing[0]!r}, which no other source has: nothing can be "
            "learnt about it. Give files of that type from another source, or another --seed."
        )
    return bill(_fitted(learner, seen), unseen.X, unseen.y)


def _training_content(
    judged: Bill,
    model: Model,
    n_sources: int,
    wanted: TrainOptions,
    costs: Costs,
    sureness: Sureness | None,
) -> dict[str, Any]:
    trees = [part.tree for part in model.parts]
    return {
        "algorithm": wanted.algorithm,
        "accuracy": judged.accuracy,
        "mean_test_cost": judged.mean_test_cost,
        "all_features_cost": costs.total(FEATURES),
        "n_cases": judged.n_cases,
        "n_sources": n_sources,
        "n_trees": len(trees),
        "n_leaves": sum(tree.n_leaves for tree in trees),
        "depth": max((tree.depth for tree in trees), default=0),
        "unknown": None if sureness is None else dict(sureness.figures),
        "model": None if wanted.output is None else str(wanted.output),
    }


# Answering


def classify_and_print(out: Console, file: Path, model: Path, plain: bool, as_json: bool) -> None:
    """Classify a file or standard input; of a capture every stream."""
    if file == model == STANDARD:
        raise ValueError(
            "The model and the stream cannot both come from standard input. Name a file for one."
        )
    classifier = read_model(model, StreamClassifier.from_json)
    with nullcontext(sys.stdin.buffer) if file == STANDARD else file.open("rb") as stream:
        head = stream.read(4)
        if head.startswith(GZIP):
            head += stream.read(GZIP_HEAD)
            if not plain and is_packed_capture(head):
                note(
                    "This is a capture packed by gzip, told as one stream. "
                    "Gunzip it first to have the streams in it."
                )
        source = cast("BinaryIO", Resumed(head, stream))
        if not plain and is_capture(head):
            with reading_on() if file == STANDARD else nullcontext():
                classify_capture_and_print(out, source, classifier, as_json)
            return
        found = classifier.explain(source)
    _print_classification(out, found, as_json)


def _print_classification(out: Console, found: Classification, as_json: bool) -> None:
    if as_json:
        print_json(_classification_content(found))
        return
    print_lines(out, _answer_words(found))
    done = "".join(f" {step}" for step in found.steps) or " none"
    # In the order asked; what was ordered and paid with others but not asked has no value.
    values = {name: f"{value:.6g}" for name, value in found.values.items()}
    rows = [[name, values.get(name, ""), amount(price)] for name, price in found.bought]
    if rows:
        out.print(table("", ["computed", "value", UNIT], rows))
    print_lines(
        out,
        f"Steps:{done}. Cost {amount(found.cost)} {UNIT} by the price list, "
        f"{amount(found.seconds * 1e6)} by the clock.",
    )
    if found.sizes_lacking:
        sizes = ", ".join(f"{size // 1024}" for size in found.sizes_lacking)
        print_lines(
            out,
            f"The stream is short: {found.n_bytes} bytes were read, from byte {found.first_byte} on; "
            f"features of {sizes} KB could not be had.",
        )


def _answer_words(found: Classification) -> str:
    if found.answer == found.nearest:
        return f"{found.answer} (share {percent(found.share)})"
    if found.unlike:
        return (
            f"{found.answer}: unlike the streams that were learnt from; {found.nearest} is the nearest type."
        )
    return (
        f"{found.answer}: no type is likely; {found.nearest} is the nearest (share {percent(found.share)})."
    )


def _classification_content(found: Classification) -> dict[str, Any]:
    return {
        "answer": found.answer,
        "share": found.share,
        "probabilities": found.probabilities,
        "nearest": found.nearest,
        "unlike": found.unlike,
        "cost": found.cost,
        "computed": found.values,
        "prices": dict(found.bought),
        "steps": found.steps,
        "seconds": found.seconds,
        "why": found.why,
        "first_byte": found.first_byte,
        "n_bytes": found.n_bytes,
        "sizes_lacking": found.sizes_lacking,
    }
