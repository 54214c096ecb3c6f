"""What a browser keeps under the keys of the project's former name is moved once."""

from playwright.sync_api import Page, expect

FORMER = "gradlens"


def test_kept_settings_drafts_and_progress_are_moved(page: Page) -> None:
    page.goto("/explore")
    page.evaluate(
        """(former) => {
            localStorage.clear();
            localStorage.setItem(`${former}.theme`, "dark");
            localStorage.setItem(`${former}-learn`, '{"read": {"nudge": true}, "at": null}');
            localStorage.setItem(`${former}.grain`, "op");
            localStorage.setItem("seegrad.grain", "line");
            localStorage.setItem("another.site", "kept");
            sessionStorage.setItem(`${former}.left`, '{"search": "", "step": 7}');
        }""",
        FORMER,
    )
    page.goto("/learn")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    kept = page.evaluate("({...localStorage})")
    assert kept["seegrad.theme"] == "dark"
    assert '"nudge"' in kept["seegrad-learn"]
    assert kept["seegrad.grain"] == "line", "what was chosen under the new key stays"
    assert kept["another.site"] == "kept"
    assert "7" in page.evaluate("sessionStorage.getItem('seegrad.left')")
    assert not [key for key in kept if key.startswith(FORMER)]
    kept_by_tab = page.evaluate("Object.keys(sessionStorage)")
    assert not [key for key in kept_by_tab if key.startswith(FORMER)]
