"""The site: every page is in its menu, every public name has an entry, pictures show the pages' figures."""

import functools
import http.server
import importlib.util
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from browsing import chromium, looked_at, need_axe
from cli.commands import thriftwood
from markdown_pages import DOCS, ROOT, read_page

import thriftwood as tw
from thriftwood.experiments import EXPERIMENTS
from website import commands, experiments, gallery, landing, pages, reference, slugs

MENU = re.findall(r"^ +- (?:.+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
PATIENCE = 300_000  # milliseconds, on a busy machine
FROM_ELSEWHERE = re.compile(
    r'<(?:script|img|iframe|source)[^>]+src="(?:https?:)?//|<link[^>]+href="(?:https?:)?//|@import|url\(["\']?(?:https?:)?//'
)


def test_the_menu_names_every_page_once():
    made = {*pages.BORROWED.values(), "reference/index.md", "reference/commands.md", "experiments/index.md"}
    made |= {"gallery.md", *(f"reference/{room}.md" for room in reference.rooms())}
    own = {path.relative_to(ROOT / "docs").as_posix() for path in DOCS}
    assert sorted(MENU) == sorted(made | own)


def test_no_public_name_is_without_a_page():
    for room, names in reference.rooms().items():
        page = reference.room_page(room)
        entries = re.findall(r'^(?:::: |.*id=")thriftwood\.\S*?(\w+)(?:" })?$', page, re.MULTILINE)
        assert entries == list(names), room
    assert set(reference.places()) == {*tw.__all__, *reference.criteria()}


def test_every_room_but_two_is_public():
    rooms = {path.parent.name for path in (ROOT / "src" / "thriftwood").glob("*/__init__.py")}
    assert rooms - set(reference.rooms()) == reference.WITHOUT_A_PAGE


@pytest.mark.parametrize("name", [*tw.__all__, *reference.criteria()])
def test_every_name_of_the_front_page_has_an_example(name):
    value = getattr(tw, name)
    if (
        callable(value)
        and getattr(value, "__module__", "").startswith("thriftwood")
        and hasattr(value, "__name__")
    ):
        assert ">>>" in value.__doc__
    else:
        assert name in {"__version__", "cost_scorer", "savings_scorer"}, "a value, described beside it"


def test_the_page_of_commands_says_what_their_help_says():
    page = commands.commands_page()
    for name, command in commands.verbs():
        section = page.partition(f"# {name}\n")[2].partition("\n#")[0]
        assert section, name
        options = {
            part for parameter in command.params for part in (*parameter.opts, *parameter.secondary_opts)
        }
        for option in (option for option in options if option.startswith("--")):
            assert option in section, (name, option)
    assert "thriftwood fit patients.csv --target state" in page
    assert "--cv FOLDS" in page
    assert "--cv FOLDS" in " ".join(thriftwood("fit", "--help").out.split())


def test_links_out_of_the_folder_lead_to_the_sites_pages():
    text = pages.borrowed_page("CONTRIBUTING.md")
    assert "[ARCHITECTURE.md](architecture.md)" in text
    assert "(docs/" not in text
    assert "[studio](studio.md)" in text
    assert "`pyproject.toml`" in pages.borrowed_page("ARCHITECTURE.md") or "pyproject.toml" in text


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("`tw.bill(model)` is", "[`tw.bill(model)`][thriftwood.evaluation.bill] is"),
        ("[`tw.bill`](costs.md)", "[`tw.bill`](costs.md)"),
        ("## `tw.bill`", "## `tw.bill`"),
        ("`tw.nothing`", "`tw.nothing`"),
        ("see [docs/costs.md](../costs.md#a)", "see [Price lists and bills](../costs.md#a)"),
        ("[ARCHITECTURE.md](architecture.md)", "[Architecture](architecture.md)"),
        ("[tree.md](tree.md)", "[tree.md](tree.md)"),
        ("```python\n`tw.bill`\n```", "```python\n`tw.bill`\n```"),
        ("```toml prices.toml\na = 1\n```", '```toml title="prices.toml"\na = 1\n```'),
    ],
)
def test_names_lead_to_the_reference(written, shown):
    assert pages.for_the_site(written, {"bill": "thriftwood.evaluation.bill"}) == shown


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.stem)
def test_headings_have_the_names_that_links_of_the_pages_use(path):
    page = read_page(path)
    headings = re.findall(r"^#+ (.*)$", pages.FENCE.sub("", page.text), re.MULTILINE)
    assert {slugs.github(heading) for heading in headings} == page.anchors


def test_every_experiment_has_a_picture_of_its_own_table():
    assert {picture.page for picture in experiments.PICTURES} == set(EXPERIMENTS)
    figures = {picture.page: experiments.table_of(picture) for picture in experiments.PICTURES}
    names, rows = figures["turney1995"]
    assert dict(zip(names, rows["average"], strict=True))["icet"] == 50.7
    assert figures["thrift"][1]["nobody"] == [100.0]
    assert figures["streams"][1]["sea"][0] == 0.8929


def test_a_picture_is_drawn_once_and_again_the_same():
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    picture = experiments.PICTURES[0]
    assert experiments.draw(picture) == experiments.draw(picture)
    page = read_page(ROOT / "docs" / "experiments" / f"{picture.page}.md").text
    assert experiments.with_picture(f"experiments/{picture.page}.md", page).count(f"{picture.page}.svg") == 1


def test_the_page_of_experiments_has_all():
    page = experiments.index_page()
    assert re.findall(r"^## \[(\w+)\]", page, re.MULTILINE) == re.findall(r"\.\./pictures/(\w+)\.svg", page)
    assert len(re.findall("^## ", page, re.MULTILINE)) == len(EXPERIMENTS)


def test_the_gallery_draws_by_every_function_that_draws():
    shown = {name for snippet in gallery.snippets() for name in re.findall(r"tw\.(plot_\w+)", snippet.code)}
    assert shown == {name for name in tw.__all__ if name.startswith("plot_")}


@pytest.mark.parametrize("snippet", gallery.snippets(), ids=lambda snippet: snippet.name)
def test_a_picture_of_the_gallery_takes_ten_lines(snippet):
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    assert len([line for line in snippet.code.splitlines() if line]) <= gallery.LONGEST
    assert snippet.title
    assert snippet.words
    [(name, content)] = gallery.make(snippet).items()
    kind = {".svg": b"</svg>", ".html": b"</html>"}[Path(name).suffix]
    assert content.rstrip().endswith(kind)


def test_the_studio_of_the_first_page_is_on_turneys_prices(published_folder):
    assert published_folder
    page = landing.studio_page()
    assert '"thallium stress test":101.9' in page.replace(": ", ":")
    assert "Turney 1995" in landing.with_studio(landing.MARK)


def test_without_the_folder_of_data_the_first_page_says_so(monkeypatch, tmp_path):
    monkeypatch.delenv("THRIFTWOOD_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert landing.table()[0] == landing.INSTEAD
    assert "are not here" in landing.with_studio(landing.MARK)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built as `make docs` does, from what a fresh clone has."""
    for needed in ("mkdocs", "material", "mkdocstrings", "matplotlib"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed: it is in the extra docs")
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(words, cwd=ROOT, env=quiet, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stdout + built.stderr) == (0, "")
    return folder


def test_the_site_is_built_without_a_warning_and_has_every_name(site):
    for room, names in reference.rooms().items():
        page = (site / "reference" / f"{room}.html").read_text("utf-8")
        for name in names:
            entry = page.partition(f'<h2 id="{reference.place(room, name)}"')[2].partition("<h2 ")[0]
            assert entry, name
            value = getattr(tw, name, None)
            if reference.is_on_front_page(room, name) and callable(value) and hasattr(value, "__name__"):
                shown = "doc-signature" in entry or room == reference.CRITERIA
                assert shown or issubclass(value, Exception), f"{name} has no signature"
                assert "&gt;&gt;&gt;" in entry, f"{name} has no example"
    for name in MENU:
        assert (site / name).with_suffix(".html").exists(), name
    assert f'src="{landing.PAGE}"' in (site / "index.html").read_text("utf-8")
    assert (site / landing.PAGE).read_text("utf-8") == landing.studio_page()


def test_the_search_has_a_name_for_screen_readers(site):
    """The theme leaves it without one: website/hooks.py puts it where the theme's text is as it was."""
    assert 'role="dialog" aria-label="Search"' in (site / "index.html").read_text("utf-8")


def test_nothing_of_the_site_is_loaded_from_elsewhere(site):
    for path in [*site.rglob("*.html"), *site.rglob("*.css")]:
        assert not FROM_ELSEWHERE.search(path.read_text("utf-8")), path.name


def test_the_search_index_stands_beside_the_pages_as_a_script(site):
    found = (site / "search" / "search_index.js").read_text("utf-8")
    assert found.startswith("var __index")
    for word in ("break-even", "hypothyroid", "reference/costs.html"):
        assert word in found


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        """Say nothing."""


@pytest.fixture(scope="module")
def served(site):
    """The site behind `python -m http.server`."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture
def page(browser):
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(PATIENCE)
    yield opened
    opened.close()


def test_a_walk_over_every_page_meets_no_error_and_asks_nobody_else(site, served, page):
    wrong = []
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "request",
        lambda asked: (
            wrong.append(asked.url) if not asked.url.startswith((served, "blob:", "data:")) else None
        ),
    )
    page.on("response", lambda came: wrong.append(came.url) if came.status >= 400 else None)
    for name in MENU:
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(f"{served}{name.removesuffix('.md')}.html", wait_until="load")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        page.set_viewport_size({"width": 390, "height": 900})
        wide_phone = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert (name, wrong, wide, wide_phone) == (name, [], 0, 0)


TOUR = ["index", "tutorials/clinic", "reference/costs", "gallery"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_is_found_in_the_site(served, browser, scheme):
    need_axe()
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    for name in TOUR:
        page = context.new_page()
        page.goto(f"{served}{name}.html", wait_until="load")
        looked_at(page, f"site-{name.replace('/', '-')}-{{}}-{scheme}", full_page=False)
        page.close()
    context.close()


def test_the_studio_of_the_first_page_follows_a_price(served, page):
    page.goto(f"{served}index.html", wait_until="load")
    studio = page.frame_locator("iframe.studio")
    said = studio.locator("#sentence", has_text=re.compile(r"\w")).inner_text()
    first = re.match(r"Order (.+?) for ", said)[1]
    field = studio.locator("#prices").get_by_role("textbox", name=first, exact=True)
    field.fill("5000")
    field.press("Tab")
    studio.locator("#sentence").filter(has_not_text=f"Order {first} for everybody").wait_for()


@pytest.mark.parametrize("way", ["served", "as a file"])
def test_search_finds_pages_with_and_without_a_server(site, served, page, way):
    page.goto(f"{served}costs.html" if way == "served" else (site / "costs.html").as_uri())
    page.locator(".md-search__input").click()
    page.keyboard.type("hypothyroid")
    found = page.locator(".md-search-result__item").first
    found.wait_for()
    assert "clinic" in page.locator(".md-search-result__list").inner_html().lower()
