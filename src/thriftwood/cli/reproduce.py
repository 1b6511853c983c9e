"""``thriftwood reproduce NAME``: a published experiment again, our table beside the printed one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thriftwood.cli.options import Jobs, Json, Seed
from thriftwood.cli.printing import console, plainly

app = typer.Typer(invoke_without_command=True, rich_markup_mode=None)

RESULTS = Path("thriftwood-results")
QUICK_TRIALS = 3

Trials = Annotated[int | None, typer.Option(min=1, help="Number of trials instead of the published one.")]
Quick = Annotated[bool, typer.Option("--quick", help=f"Only {QUICK_TRIALS} trials: a first look in seconds.")]
OnlyOf = Annotated[list[str] | None, typer.Option(metavar="NAME", help="Only this data set. Repeatable.")]
Divisions = Annotated[
    int | None, typer.Option(min=1, help="Number of divisions of each data set instead of 10.")
]
OneDivision = Annotated[
    bool, typer.Option("--quick", help="Only one division of each data set: a first look.")
]
CutPenalty = Annotated[
    bool, typer.Option("--cut-penalty", help="Grow by C4.5 of release 8, which came after ICET.")
]
Trees = Annotated[int, typer.Option(min=1, help="Number of trees that an evolution tries.")]
Unstratified = Annotated[bool, typer.Option("--unstratified", help="Folds without regard to the classes.")]
Data = Annotated[
    Path | None,
    typer.Option(
        help="Folder of data files. Without it $THRIFTWOOD_DATA, then the cache, then OpenML.",
        file_okay=False,
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        help=f"Folder for finished trials, table (CSV) and picture (PNG); {RESULTS}/NAME unless given.",
        file_okay=False,
    ),
]


@app.callback()
def reproduce(context: typer.Context) -> None:
    """Run a published experiment again; without a name, list them.

    Our table is printed beside the published one, and written with a picture to a folder. Finished trials
    are stored: after an interruption the same command goes on where it stopped.

    Example: thriftwood reproduce davis2006 --quick
    """
    if context.invoked_subcommand is None:
        from thriftwood.cli.reproduce_page import print_list  # loads scikit-learn: not for `--help`

        print_list(console())


@app.command()
@plainly
def davis2006(
    trials: Trials = None,
    quick: Quick = False,
    dataset: OnlyOf = None,
    gammas: Annotated[
        int, typer.Option(min=1, help="Values of gamma per decade from 1e-6 to 1e6, besides 0.")
    ] = 1,
    order: Annotated[str, typer.Option(help="Growth: depth, breadth or best first.")] = "depth",
    cost_reuse: Annotated[
        str,
        typer.Option(help="What a test costs eg2 and idx: list, or effective (0 once it is in the tree)."),
    ] = "list",
    allow_negative: Annotated[
        bool, typer.Option("--allow-negative", help="Go on growing where no test is worth its price.")
    ] = False,
    group_values: Annotated[
        bool, typer.Option("--group-values", help="Group categories, C4.5's -s.")
    ] = False,
    unstratified: Unstratified = False,
    seed: Seed = 0,
    data: Data = None,
    out: Out = None,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """Davis and others 2006, Table 1: cost ratios of five criteria on eight data sets.

    The defaults are the published protocol where the paper says it, and otherwise our reading of it, which is
    printed with the table.

    Example: thriftwood reproduce davis2006 --data datasets --trials 10
    """
    from thriftwood.cli.reproduce_page import run_and_print
    from thriftwood.experiments.davis2006 import Davis2006, grid

    experiment = Davis2006(
        trials=_trials(trials, quick, Davis2006.trials),
        data_sets=tuple(dataset) if dataset else Davis2006.data_sets,
        seed=seed,
        gammas=grid(gammas),
        stratified=not unstratified,
        order=order,
        cost_reuse=cost_reuse,
        allow_negative=allow_negative,
        group_values=group_values,
    )
    run_and_print(console(), experiment, data, out or RESULTS / experiment.name, jobs, as_json)


@app.command()
@plainly
def clarify(
    program: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this program. Repeatable.")
    ] = None,
    runs: Annotated[
        int | None, typer.Option(min=5, help="Runs of each class of errors to learn from instead of 60.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="10 runs of each class, one measured input: a first look.")
    ] = False,
    seed: Seed = 0,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder for sources, inputs and recordings; that of the results unless given."),
    ] = None,
    out: Out = None,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Davis and others 2006, figure 1: what it costs to tell confusing errors of programs apart.

    Programs in Python are those of pip install docutils pycparser pdfminer.six; native ones are fetched from
    Debian and compiled with gcc. One that cannot run here is left out. With a number of jobs, so many runs
    are recorded at a time.

    Example: thriftwood reproduce clarify --program tcc --quick
    """
    from thriftwood.cli.reproduce_page import run_and_print
    from thriftwood.experiments.clarify import Clarify

    if quick and runs is not None:
        raise typer.BadParameter("--quick means --runs 10; give one of them.")
    scale = {"runs": 10, "fresh": 1, "measured": 1, "repeats": 2} if quick else {"runs": runs or Clarify.runs}
    experiment = Clarify(programs=tuple(program) if program else Clarify.programs, seed=seed, **scale)
    run_and_print(console(), experiment, data, out or RESULTS / experiment.name, jobs, as_json)


@app.command()
@plainly
def ting1998(
    trials: Annotated[
        int | None, typer.Option(min=1, help="Number of ten-fold cross-validations instead of 10.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only one cross-validation of each data set: a first look.")
    ] = False,
    dataset: OnlyOf = None,
    statlog: Annotated[
        str,
        typer.Option(help="Which mistake costs 5 in Statlog's data sets: as printed, or as in the book."),
    ] = "printed",
    unstratified: Unstratified = False,
    seed: Seed = 0,
    data: Data = None,
    out: Out = None,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """Ting 1998, Tables 1 and 2: C4.5 on cases that weigh what mistakes about them cost.

    The defaults are the published protocol where the paper says it, and otherwise our reading of it, which is
    printed with the tables.

    Example: thriftwood reproduce ting1998 --data datasets --quick
    """
    from thriftwood.cli.reproduce_page import run_and_print
    from thriftwood.experiments.ting1998 import Ting1998

    experiment = Ting1998(
        trials=_trials(trials, quick, Ting1998.trials, quick_trials=1),
        data_sets=tuple(dataset) if dataset else Ting1998.data_sets,
        seed=seed,
        stratified=not unstratified,
        statlog=statlog,
    )
    run_and_print(console(), experiment, data, out or RESULTS / experiment.name, jobs, as_json)


@app.command()
@plainly
def savings(
    trials: Annotated[
        int | None, typer.Option(min=1, help="Number of splits of each data set instead of 10.")
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick", help=f"Only {QUICK_TRIALS} splits of each data set: some minutes for all."),
    ] = False,
    dataset: OnlyOf = None,
    trees: Annotated[int, typer.Option(min=10, help="Trees of every forest.")] = 100,
    seed: Seed = 0,
    data: Data = None,
    out: Out = None,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """Savings where mistakes cost every case something else: trees, forests and LightGBM on four data sets.

    LightGBM competes if it is installed; the learners are tuned inside the part they learn from.

    Example: thriftwood reproduce savings --data datasets --dataset churn-tv
    """
    from thriftwood.cli.reproduce_page import run_and_print
    from thriftwood.experiments.savings import Savings

    experiment = Savings(
        trials=_trials(trials, quick, Savings.trials),
        data_sets=tuple(dataset) if dataset else Savings.data_sets,
        seed=seed,
        n_trees=trees,
    )
    run_and_print(console(), experiment, data, out or RESULTS / experiment.name, jobs, as_json)


@app.command()
@plainly
def afabench(
    trials: Annotated[
        int | None, typer.Option(min=1, help="Number of repetitions of each data set instead of 5.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Only one repetition of each data set: a few minutes for all.")
    ] = False,
    dataset: OnlyOf = None,
    seed: Seed = 0,
    data: Data = None,
    out: Out = None,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """Right answers within a hard budget of tests, on tables of a benchmark of neural networks.

    CUBE and CUBE-NM are drawn, bank marketing is loaded. Learners choose their settings by cases kept aside.

    Example: thriftwood reproduce afabench --dataset cube-nm --quick
    """
    from thriftwood.cli.reproduce_page import run_and_print
    from thriftwood.experiments.afabench import Afabench

    experiment = Afabench(
        trials=_trials(trials, quick, Afabench.trials, 1),
        data_sets=tuple(dataset) if dataset else Afabench.data_sets,
        seed=seed,
    )
    run_and_print(console(), experiment, data, out or RESULTS / experiment.name, jobs, as_json)


@app.command()
@plainly
def turney1995(
    trials: Divisions = None,
    quick: OneDivision = False,
    dataset: OnlyOf = None,
    trees: Trees = 1000,
    answer: Annotated[
        str, typer.Option(help="What ICET's leaves answer: most_likely, or cheapest.")
    ] = "most_likely",
    missing: Annotated[
        str,
        typer.Option(help="Missing values: from the nearest case, as published, or spread, as C4.5 does."),
    ] = "nearest",
    cut_penalty: CutPenalty = False,
    cost_reuse: Annotated[
        str, typer.Option(help="What a test costs growth: effective (what is still to be paid), or list.")
    ] = "effective",
    true_costs_first: Annotated[
        bool, typer.Option("--true-costs-first", help="ICET begins with the true prices, too (section 4.3).")
    ] = False,
    thyroid: Annotated[
        str, typer.Option(help="Cases of ann-thyroid: training (the first 3,772), or all.")
    ] = "training",
    seed: Seed = 0,
    data: Data = None,
    out: Out = None,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """Turney 1995, section 4.1: ICET and four other learners on five medical data sets.

    The defaults are the published protocol where the paper says it, and otherwise our reading of it, which is
    printed with the tables.

    Example: thriftwood reproduce turney1995 --data datasets --quick
    """
    from thriftwood.cli.reproduce_page import run_and_print
    from thriftwood.experiments.turney1995 import Turney1995

    experiment = Turney1995(
        trials=_trials(trials, quick, Turney1995.trials, quick_trials=1),
        data_sets=tuple(dataset) if dataset else Turney1995.data_sets,
        seed=seed,
        trees=trees,
        answer=answer,
        missing=missing,
        cut_penalty=cut_penalty,
        cost_reuse=cost_reuse,
        true_costs_first=true_costs_first,
        thyroid=thyroid,
    )
    run_and_print(console(), experiment, data, out or RESULTS / experiment.name, jobs, as_json)


@app.command()
@plainly
def ecco2012(
    trials: Divisions = None,
    quick: OneDivision = False,
    dataset: OnlyOf = None,
    depth: Annotated[
        list[int] | None, typer.Option(min=1, help="Only this depth of ECCO's trees, of 5 to 11. Repeatable.")
    ] = None,
    trees: Trees = 1000,
    dear: Annotated[str, typer.Option(help="About whom a mistake is dear: sick, or well.")] = "sick",
    unit: Annotated[float, typer.Option(help="What the other mistake costs, in dollars, as tests do.")] = 1.0,
    nominal: Annotated[
        str,
        typer.Option(help="ECCO asks about categories multiway, or for one value at a time."),
    ] = "multiway",
    cuts: Annotated[int, typer.Option(min=1, help="Cuts of a number that ECCO asks about.")] = 8,
    cut_penalty: CutPenalty = False,
    seed: Seed = 0,
    data: Data = None,
    out: Out = None,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """Omielan and Vadera 2012, figures 4 and 5: ECCO and ICET on four medical data sets.

    The defaults are the published protocol where the paper says it, and otherwise our reading of it, which is
    printed with the tables.

    Example: thriftwood reproduce ecco2012 --data datasets --quick
    """
    from thriftwood.cli.reproduce_page import run_and_print
    from thriftwood.experiments.ecco2012 import Ecco2012

    experiment = Ecco2012(
        trials=_trials(trials, quick, Ecco2012.trials, quick_trials=1),
        data_sets=tuple(dataset) if dataset else Ecco2012.data_sets,
        seed=seed,
        depths=tuple(sorted(set(depth))) if depth else Ecco2012.depths,
        trees=trees,
        dear=dear,
        unit=unit,
        nominal=nominal,
        cuts=cuts,
        cut_penalty=cut_penalty,
    )
    run_and_print(console(), experiment, data, out or RESULTS / experiment.name, jobs, as_json)


@app.command()
@plainly
def lomax2013(
    splits: Annotated[
        int | None, typer.Option(min=1, help="Divisions of each table instead of 100, the first ones.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help=f"Only {QUICK_TRIALS} divisions of each table: half a minute.")
    ] = False,
    dataset: OnlyOf = None,
    level: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this level of error costs. Repeatable.")
    ] = None,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Only this learner, repeatable: constant, 'optimal 3', or any that takes costs.",
        ),
    ] = None,
    time: Annotated[
        bool,
        typer.Option("--time", help="Time optimal trees of depth 3 and 4, beside STreeD if installed."),
    ] = False,
    seed: Seed = 0,
    data: Data = None,
    out: Out = None,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """Lomax 2013: optimal trees of depth 2 to 5 and other learners on tables with prices and error costs.

    Tables, costs and divisions are those published with STreeD.

    Example: thriftwood reproduce lomax2013 --data datasets --quick
    """
    from thriftwood.cli.reproduce_page import run_and_print
    from thriftwood.experiments.lomax2013 import Lomax2013

    experiment = Lomax2013(
        splits=_trials(splits, quick, Lomax2013.splits, called="--splits"),
        data_sets=tuple(dataset) if dataset else Lomax2013.data_sets,
        levels=tuple(level) if level else Lomax2013.levels,
        learners=tuple(learner) if learner else Lomax2013.learners,
        seed=seed,
        time=time,
    )
    run_and_print(console(), experiment, data, out or RESULTS / experiment.name, jobs, as_json)


@app.command()
@plainly
def thrift(
    splits: Annotated[
        int | None, typer.Option(min=1, help="Divisions of each table and price list instead of 2.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="One division of each table and price list, a few quick learners.")
    ] = False,
    dataset: OnlyOf = None,
    both: Annotated[
        bool, typer.Option("--both", help="Also the tables that were looked at while thrift was made.")
    ] = False,
    learner: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this learner, repeatable: thrift, or any that takes costs."),
    ] = None,
    seed: Seed = 0,
    data: Data = None,
    out: Out = None,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """Lowest bill: thrift beside every learner that knows costs, on many tables with drawn prices.

    Figures are of tables that were not looked at while thrift was made.

    Example: thriftwood reproduce thrift --data datasets --quick
    """
    from thriftwood.cli.reproduce_page import run_and_print
    from thriftwood.experiments.thrift import Thrift
    from thriftwood.experiments.thrift.tables import LOOKED_AT
    from thriftwood.experiments.thrift.trial import QUICK_LEARNERS

    every = (*Thrift.data_sets, *LOOKED_AT) if both else Thrift.data_sets
    experiment = Thrift(
        splits=_trials(splits, quick, Thrift.splits, called="--splits", quick_trials=1),
        data_sets=tuple(dataset) if dataset else every,
        learners=tuple(learner) if learner else QUICK_LEARNERS if quick else Thrift.learners,
        seed=seed,
    )
    run_and_print(console(), experiment, data, out or RESULTS / experiment.name, jobs, as_json)


@app.command()
@plainly
def streams(
    rows: Annotated[
        int | None, typer.Option(min=100, help="Length of each stream instead of 200,000.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Streams of 10,000 rows: a first look.")] = False,
    stream: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this stream. Repeatable.")
    ] = None,
    learner: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this learner. Repeatable.")
    ] = None,
    seed: Seed = 0,
    out: Out = None,
    as_json: Json = False,
) -> None:
    """Streams: accuracy, bill and speed of refitted and Hoeffding trees, river's and MOA's.

    Trees of river and of MOA (through CapyMOA) take part where they are installed. One runs after the other,
    so that times can be compared.

    Example: thriftwood reproduce streams --quick
    """
    from thriftwood.cli.reproduce_page import run_and_print
    from thriftwood.experiments.streams import Streams

    experiment = Streams(
        rows=_trials(rows, quick, Streams.rows, called="--rows", quick_trials=10_000),
        streams=tuple(stream) if stream else Streams.streams,
        learners=tuple(learner) if learner else Streams.learners,
        seed=seed,
    )
    run_and_print(console(), experiment, None, out or RESULTS / experiment.name, 1, as_json)


@app.command()
@plainly
def cocost2009(
    trials: Annotated[
        int | None, typer.Option(min=1, help="Number of splits by source instead of 5.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="One split, and a few settings and trees of each learner.")
    ] = False,
    costs: Annotated[
        Path | None,
        typer.Option(help="Price list; costs.toml in the folder of the corpus unless given.", dir_okay=False),
    ] = None,
    seed: Seed = 0,
    data: Annotated[
        Path | None,
        typer.Option(help="Folder of a corpus, made by `thriftwood flowtype corpus`.", file_okay=False),
    ] = None,
    out: Out = None,
    jobs: Jobs = 0,
    as_json: Json = False,
) -> None:
    """CoCoST 2009, Tables I to III and figure 5: types of byte streams by features that cost microseconds.

    Besides the paper's learners LightGBM competes, if it is installed, and our boosted trees. The corpus is
    split by source; its price list is measured by `thriftwood flowtype measure`.

    Example: thriftwood reproduce cocost2009 --data streams --quick
    """
    from thriftwood.cli.reproduce_page import run_and_print
    from thriftwood.experiments.cocost2009 import Cocost2009

    experiment = Cocost2009(
        trials=_trials(trials, quick, Cocost2009.trials, quick_trials=1), seed=seed, few=quick, costs=costs
    )
    run_and_print(console(), experiment, data, out or RESULTS / experiment.name, jobs, as_json)


def _trials(
    given: int | None,
    quick: bool,
    published: int,
    quick_trials: int = QUICK_TRIALS,
    called: str = "--trials",
) -> int:
    if quick and given is not None:
        raise typer.BadParameter(f"--quick means {called} {quick_trials}; give one of them.")
    return quick_trials if quick else given or published
