"""The witness sees what it is there to see; without this, silence would prove nothing."""

from playwright.sync_api import Page

from tests.browser.conftest import Axe, OpenPage
from tests.browser.witness import Witness
from tests.support.each import for_each

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src *; connect-src 'self'"

FORBIDDEN = {
    "foreign image": ("<img alt='' src='http://example.org/a.png'>", "foreign request"),
    "foreign number": ("<img alt='' src='http://192.0.2.1/a.png'>", "ERR_NAME_NOT_RESOLVED"),
    "inline script": ("<script>document.title = 'ran'</script>", "content security policy"),
    "inline style": ("<p style='color: red'>red</p>", "content security policy"),
    "missing file": ("<img alt='' src='/there-is-no-such-file'>", "status of 404"),
}


@for_each("act", FORBIDDEN)
def test_page_that_does_what_is_forbidden(page: Page, witness: Witness, act: str) -> None:
    body, complaint = FORBIDDEN[act]
    page.route(
        "**/witness",
        lambda route: route.fulfill(
            body=f"<!doctype html><title>t</title>{body}",
            headers={"content-type": "text/html", "content-security-policy": POLICY},
        ),
    )
    page.goto("/witness")
    page.wait_for_load_state("networkidle")
    page.unroute_all()
    seen = witness.seen.copy()
    witness.seen.clear()
    assert any(complaint in line for line in seen), seen
    assert page.title() == "t"


def test_uncaught_error(open_page: OpenPage, witness: Witness) -> None:
    page = open_page()
    page.goto("/healthz")
    with page.expect_event("pageerror"):
        page.evaluate("setTimeout(() => { throw new Error('on purpose') })")
    assert any("on purpose" in line for line in witness.seen), witness.seen
    witness.seen.clear()


def test_axe_names_the_fault(open_page: OpenPage, axe: Axe) -> None:
    page = open_page(new=True)
    page.set_content("<!doctype html><title>t</title><main><h1>t</h1><img src='data:,'></main>")
    faults = axe(page)
    assert any(fault.startswith("image-alt") for fault in faults), faults
    assert any(fault.startswith("html-has-lang") for fault in faults), faults
