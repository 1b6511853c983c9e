"""What a visitor of the page does, and what is looked at."""

import json
import re

import thriftwood as tw


def settled(page):
    """Wait until what is shown is that of the newest scenario, folds and all."""
    page.wait_for_function(
        """() => {
            const { job, judged } = document.getElementById('page').dataset;
            return job && judged === job;
        }"""
    )


def compared(page):
    """Wait until the frontier is that of the newest prices."""
    settled(page)
    page.wait_for_selector("#frontier-part[data-missing='0']:not([aria-busy])", state="attached")


def set_price(page, label, price):
    before = page.get_attribute("#page", "data-tree")
    field = price_field(page, label)
    field.fill(str(price))
    field.blur()
    page.wait_for_function("before => document.getElementById('page').dataset.tree !== before", arg=before)


def downloaded(page, button, folder):
    """Press a button as soon as it can be pressed: its file is that of the newest prices and learner."""
    with page.expect_download() as told:
        page.click(f"#{button}")
    file = folder / told.value.suggested_filename
    told.value.save_as(file)
    return file


def assert_same_aid(file, model, title):
    """The page is that of the library, but for how numbers are spelt in its data."""
    parts = re.compile(r'(.*<script type="application/json" id="model">)(.*?)(</script>.*)', re.DOTALL)
    found = parts.fullmatch(file.read_text(encoding="utf-8"))
    wanted = parts.fullmatch(tw.export_html(model, title))
    assert (found[1], found[3]) == (wanted[1], wanted[3])
    assert json.loads(found[2]) == json.loads(wanted[2])


def dropped(page, name, text):
    """Drop a table on the page, and wait until it is there."""
    content = text if isinstance(text, bytes) else text.encode()
    page.set_input_files("#file", {"name": name, "mimeType": "text/csv", "buffer": content})
    page.wait_for_function(
        "name => document.getElementById('table-name').textContent.startsWith(`${name}:`)", arg=name
    )


def price_field(page, label):
    """Return the field of a test's price."""
    return page.locator("#prices").get_by_role("textbox", name=label, exact=True)
