"""Random price lists for property tests."""

from hypothesis import strategies as st

from thriftwood.costs import Costs, Test, Today

prices = st.floats(0, 1e6, allow_nan=False)
names = st.text(min_size=0, max_size=6)
error_costs = st.floats(-1e6, 1e6, allow_nan=False)
error_tables = st.dictionaries(names, st.dictionaries(names, error_costs, max_size=4), max_size=4)

words = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=40)
panels = st.lists(names, unique=True, max_size=4)
todays = (
    st.none()
    | st.builds(Today, panels)
    | st.builds(Today, st.none() | panels, answers=names.filter(bool))
    | st.builds(Today, model=names.filter(bool))
)


@st.composite
def single_tests(draw: st.DrawFn, resources: list[str], groups: bool = True) -> Test:
    price = draw(prices)
    needs = draw(st.lists(st.sampled_from(resources), unique=True, max_size=4)) if resources else []
    group = draw(st.none() | names) if groups else None
    after = None if group is None else draw(st.none() | st.floats(0, price))
    return Test(price, needs=needs, delayed=draw(st.booleans()), group=group, after=after)


@st.composite
def error_arrays(draw: st.DrawFn) -> list[list[float]]:
    k = draw(st.integers(1, 4))
    return draw(st.lists(st.lists(error_costs, min_size=k, max_size=k), min_size=k, max_size=k))


@st.composite
def cost_objects(draw: st.DrawFn, groups: bool = True) -> Costs:
    shared = draw(st.dictionaries(names, prices, max_size=5))
    tests = draw(st.dictionaries(names, prices | single_tests(list(shared), groups), max_size=6))
    errors = draw(st.none() | error_tables | error_arrays())
    default = None if isinstance(errors, list) else draw(st.none() | prices)
    named = set() if not isinstance(errors, dict) else {n for a, row in errors.items() for n in (a, *row)}
    further = prices | st.dictionaries(names, prices, min_size=1, max_size=3)
    answers = draw(st.dictionaries(names.filter(lambda name: name not in named), further, max_size=3))
    return Costs(
        tests,
        shared,
        errors,
        draw(st.sampled_from(["sequential", "upfront"])),
        draw(st.booleans()),
        errors_default=default,
        default_price=draw(prices),
        answers=answers,
        today=draw(todays),
        currency=draw(words),
        case_name=draw(words.filter(bool)),
    )
