"""An address to give to others: shared or copied where the browser can, else there to select."""

from __future__ import annotations

from pathlib import Path

import jinja2
from playwright.sync_api import Locator, expect

from tests.e2e.server import ROOT, Server
from tests.e2e.tab import Tab, Visitor
from webapp.web.translation import Translation

SHARES = """() => {
  navigator.share = async ({ url }) => {
    (window.shared ??= []).push(url);
    if (window.refused) throw new DOMException("", window.refused);
  };
}"""
"""Gives the page what a phone has."""

SELECTED = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"


def waiting(one: Tab) -> str:
    """Wait for a classmate; return the address to join at."""
    return f"{one.server}/join/{one.open_challenge()}"


def folded(one: Tab, address: str) -> Locator:
    """Put the folded form onto the page, as an answer of the server would."""
    loader = jinja2.FileSystemLoader(Path(ROOT, "templates"))
    templates = jinja2.Environment(loader=loader, autoescape=True, extensions=[Translation])
    templates.globals["gettext"] = str
    text = "{% from '_share.html' import share %}{{ share(address, 'Address', 'one', true) }}"
    one.page.evaluate(
        "(html) => document.querySelector('main').insertAdjacentHTML('beforeend', html)",
        templates.from_string(text).render(address=address),
    )
    return one.page.locator(".share summary")


def test_a_link_is_copied_which_is_said_for_two_seconds_or_selected(visitor: Visitor) -> None:
    ada = visitor(permissions=["clipboard-read", "clipboard-write"])
    address = waiting(ada)
    expect(ada.link).to_have_value(address)
    expect(ada.button("Share")).to_be_hidden()
    ada.record_announcements()
    copy = ada.button("Copy link")
    after_two_seconds = ada.hold_timers(2000)
    copy.click()
    expect(ada.button("Copied")).to_be_visible()
    assert ada.announcements() == ["Copied"]
    assert ada.page.evaluate("() => navigator.clipboard.readText()") == address
    after_two_seconds()
    expect(copy).to_be_visible()
    # Where copying is forbidden it is selected.
    ada.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(Error('no')) }")
    copy.click()
    expect(ada.link).to_be_focused()
    assert ada.link.evaluate(SELECTED) == address


def test_on_plain_http_the_field_alone_is_there_to_select(server: Server, visitor: Visitor) -> None:
    ada = visitor(server.url.replace("127.0.0.1", "play.lan"))
    address = waiting(ada)
    for name in ("Share", "Copy link"):
        expect(ada.button(name)).to_be_hidden()
    ada.link.click()
    assert ada.link.evaluate(SELECTED) == address
    summary = folded(ada, address)
    field = ada.page.get_by_label("Address", exact=True)
    expect(field).to_be_hidden()
    summary.click()
    expect(field).to_have_value(address)
    expect(ada.button("Share")).to_be_hidden()


def test_a_phone_shares_the_address(visitor: Visitor) -> None:
    ada = visitor()
    ada.page.add_init_script(f"({SHARES})()")
    address = waiting(ada)
    expect(ada.button("Copy link")).to_be_hidden()
    ada.button("Share").click()
    expect(ada.button("Share")).to_be_visible()
    summary, details = folded(ada, f"{address}?folded"), ada.page.locator("details.share")
    for refused in ("", "AbortError"):
        ada.page.evaluate("(name) => { window.refused = name }", refused)
        summary.click()
        expect(details).not_to_have_attribute("open", "")
    # Refused, but not by the person: so it is there to select.
    ada.page.evaluate("() => { window.refused = 'NotAllowedError' }")
    summary.click()
    expect(ada.page.get_by_label("Address", exact=True)).to_be_focused()
    assert ada.page.evaluate("() => window.shared") == [address, *[f"{address}?folded"] * 3]
