"""What the page does in a real Chromium."""

import json

import pytest

from tests.report.pages import HOSTILE, PAGES, hostile, many_classes, several

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_errors_requests_or_overflow(open_page, name, width):
    opened = open_page(PAGES[name](), width)
    page = opened.page
    page.locator("summary").evaluate_all("all => all.forEach((one) => one.click())")
    page.wait_for_timeout(50)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.problems == []


def chosen(page):
    """Return the groups that the network, the table and the panels say are chosen."""
    pressed = "all => all.map((one) => Number(one.dataset.group))"
    visible = "all => all.filter((one) => one.offsetParent).map((one) => Number(one.dataset.panel))"
    return (
        page.locator(".network [aria-pressed=true]").evaluate_all(pressed),
        page.locator("table [aria-pressed=true]").evaluate_all(pressed),
        page.locator("[data-panel]").evaluate_all(visible),
    )


def test_the_first_group_is_shown_at_first(open_page):
    assert chosen(open_page(several()).page) == ([0], [0], [0])


def test_a_click_on_a_shape_or_in_the_table_shows_the_groups_effect(open_page):
    page = open_page(several()).page
    page.locator(".network [data-group='2'] .badge").click()
    assert chosen(page) == ([2], [2], [2])
    assert page.locator("#group-3 .curve").count() == 1
    page.locator("table [data-group='1']").click()
    assert chosen(page) == ([1], [1], [1])
    assert page.locator("#group-2 .plot image").count() == 1


def test_pointing_at_a_group_dims_the_features_of_others(open_page):
    page = open_page(several()).page
    page.locator(".network [data-group='2'] .badge").hover()
    assert page.locator(".network.dim").count() == 1
    assert page.locator(".dot.lit").count() == 1
    page.mouse.move(2, 2)
    assert page.locator(".network.dim").count() == 0


def test_a_feature_chooses_its_groups_one_after_the_other(open_page):
    page = open_page(several()).page
    page.locator(".dot", has_text="f4").locator("circle").click()
    assert chosen(page) == ([2], [2], [2])
    shared = page.locator(".dot", has_text="f1").locator("circle")
    for group in (0, 1, 0):
        shared.click()
        assert chosen(page) == ([group], [group], [group])
    shared.hover()
    assert page.locator(".dot.lit").count() == 4


def test_tab_reaches_the_skip_link_first_then_every_control_with_a_name_and_a_visible_focus(
    open_page,
):
    page = open_page(several()).page
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        focus = page.evaluate(
            """() => { const one = document.activeElement; const style = getComputedStyle(one);
            const shape = one.querySelector(".shape");
            return { tag: one.tagName.toLowerCase(), id: one.id, group: one.dataset.group ?? null,
              name: one.ariaLabel || one.labels?.[0]?.textContent || one.textContent,
              seen: style.outlineStyle !== "none"
                || (shape !== null && getComputedStyle(shape).strokeWidth === "4px") }; }"""
        )
        if focus["tag"] == "body":
            break
        reached.append(focus)
    assert reached[0]["name"] == "Skip to the answer"
    assert all(focus["name"].strip() for focus in reached)
    assert [focus for focus in reached if not focus["seen"]] == []
    assert {"theme", "row", "row-after", "copy"} <= {focus["id"] for focus in reached}
    assert [f["group"] for f in reached if f["tag"] == "g"] == ["0", "1", "2"]


@pytest.mark.parametrize("key", ["Enter", " "])
def test_keys_choose_a_group(open_page, key):
    page = open_page(several()).page
    page.locator(".network [data-group='1']").focus()
    page.keyboard.press(key)
    assert chosen(page) == ([1], [1], [1])


def test_arrow_keys_read_values_off_the_picture(open_page):
    page = open_page(several()).page
    page.locator("[data-plot='0'] > svg").focus()
    texts = []
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
        texts.append(page.locator("#group-1 .readout").inner_text())
    assert len(set(texts)) == 3
    assert all("f0 " in text and "f1 " in text for text in texts)


def test_the_value_that_is_read_is_the_products_at_that_place(open_page):
    page = open_page(several()).page
    page.locator("[data-plot='0'] > svg").hover(position={"x": 150, "y": 60})
    parts = page.locator("#group-1 .readout").inner_text().replace("−", "-").split()
    first, second, value = float(parts[1].strip(",")), float(parts[3].strip(":")), float(parts[4])
    assert value == pytest.approx(first * second, rel=0.02, abs=0.01)


def test_slices_of_a_third_feature_can_be_chosen_and_keep_the_focus(open_page):
    page = open_page(several()).page
    page.locator("table [data-group='1']").click()
    buttons = page.locator("#group-2 .choices button")
    assert buttons.count() == 3
    before = page.locator("#group-2 image").get_attribute("href")
    buttons.nth(2).focus()
    page.keyboard.press("Enter")
    assert page.locator("#group-2 image").get_attribute("href") != before
    assert buttons.nth(2).evaluate("one => one === document.activeElement")
    assert buttons.evaluate_all("all => all.map((one) => one.ariaPressed)") == [
        "false",
        "false",
        "true",
    ]


def test_classes_can_be_chosen(open_page):
    page = open_page(many_classes()).page
    before = page.locator("#group-1 image").get_attribute("href")
    page.locator("#group-1 .choices button", has_text="green").click()
    assert page.locator("#group-1 image").get_attribute("href") != before
    page.locator("#row-output").select_option(label="blue")
    assert float(page.locator("#waterfall").get_attribute("data-sum")) != 0


def test_contributions_of_a_row_add_up_with_the_base_value(open_page):
    page = open_page(several()).page
    table = json.loads(page.locator("#page-data").text_content())["rows"]
    for row in (3, 4):
        page.locator("#row").select_option(value=str(row))
        added = table["base"][0] + sum(group[0] for group in table["contributions"][row])
        assert float(page.locator("#waterfall").get_attribute("data-sum")) == pytest.approx(added)
        assert table["predicted"][row] in page.locator(".verdict").inner_text()
        first, second = table["members"][0]["rows"][row]
        shown = page.locator("#waterfall small").first.inner_text()
        assert shown == f"f0 = {first}, f1 = {second}"


def test_rows_can_be_leafed_through(open_page):
    page = open_page(several()).page
    page.locator("#row").select_option(value="38")
    page.locator("#row-after").click()
    assert page.locator("#row").input_value() == "39"
    assert page.locator("#row-after").is_disabled()
    page.locator("#row-before").click()
    assert page.locator("#row").input_value() == "38"


def background(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_the_theme_follows_the_system_until_the_reader_chooses(open_page):
    light, dark = open_page(several()).page, open_page(several(), scheme="dark").page
    assert background(light) != background(dark)
    light.locator("#theme").click()
    assert background(light) == background(dark)
    light.locator("#theme").click()
    assert background(light) != background(dark)


def test_the_picture_is_drawn_anew_in_the_other_theme(open_page):
    page = open_page(several()).page
    before = page.locator("#group-1 image").get_attribute("href")
    page.locator("#theme").click()
    assert page.locator("#group-1 image").get_attribute("href") != before


def test_the_command_can_be_copied(open_page):
    page = open_page(several(), permissions=["clipboard-read", "clipboard-write"]).page
    page.locator("#copy").click()
    page.wait_for_function("document.getElementById('copy').textContent !== 'Copy'")
    assert page.evaluate("navigator.clipboard.readText()") == "coterie fit table.csv --target y"


@pytest.mark.parametrize("width", [1280, 400])
def test_hostile_names_do_no_harm_and_can_be_read(open_page, width):
    opened = open_page(hostile(), width)
    page = opened.page
    assert page.evaluate("window.hacked") is None
    assert page.locator("img, iframe, object, form").count() == 0
    assert page.locator("script").count() == 2
    members = page.locator("table.groups td:nth-child(2)").all_text_contents()
    assert HOSTILE[0] in members[0]
    assert HOSTILE[1] in members[0]
    assert HOSTILE[4] in members[1]
    assert HOSTILE[6] in members[2]
    for group in range(len(members)):
        page.locator(f"table [data-group='{group}']").click()
        page.locator(f"#group-{group + 1} .plot > svg").focus()
        page.keyboard.press("ArrowRight")
    page.locator("#row-after").click()
    assert page.evaluate("window.hacked") is None
    assert opened.problems == []


def test_a_name_from_right_to_left_leaves_the_order_of_what_surrounds_it(open_page):
    page = open_page(hostile()).page
    cell = page.locator("table.groups td", has_text=HOSTILE[6]).first
    assert cell.locator("bdi").count() == 4
    assert (
        cell.locator("bdi").nth(1).evaluate("one => getComputedStyle(one).unicodeBidi") == "isolate"
    )


def test_a_long_name_is_cut_and_tells_itself_whole(open_page):
    page = open_page(hostile()).page
    name = page.locator("table.groups bdi.long", has_text="xxxx").first
    assert name.get_attribute("title") == HOSTILE[4]
    assert name.bounding_box()["width"] < 300


def test_the_policy_forbids_what_comes_from_outside(open_page):
    opened = open_page(several())
    blocked = opened.page.evaluate(
        """async () => {
          const blocked = [];
          const note = (violation) => blocked.push(violation.effectiveDirective);
          document.addEventListener("securitypolicyviolation", note);
          const image = document.createElement("img");
          image.src = "http://127.0.0.1:9/pixel.png";
          document.body.append(image);
          const script = document.createElement("script");
          script.textContent = "window.hacked = 1";
          document.body.append(script);
          await fetch("http://127.0.0.1:9/").catch(() => null);
          await new Promise((done) => setTimeout(done, 50));
          return blocked;
        }"""
    )
    assert sorted(blocked) == ["connect-src", "img-src", "script-src-elem"]
    assert opened.page.evaluate("window.hacked") is None


def test_all_groups_are_drawn_for_printing(open_page):
    page = open_page(several()).page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("[data-plot] > svg").count() == 3
    assert page.locator("[data-plot] > svg").last.is_visible()


def test_without_scripts_the_groups_can_still_be_read(open_page):
    page = open_page(several(), java_script_enabled=False).page
    assert page.locator("h3", has_text="f4").is_visible()
    assert page.locator("table.groups tbody tr").count() == 3
