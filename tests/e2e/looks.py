"""What the tests of sizes, colours and shapes ask of an element."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

SHAPES = """(element) => [element, ...element.querySelectorAll("*")].flatMap((part) =>
  [null, "::before", "::after"].map((pseudo) => {
    const style = getComputedStyle(part, pseudo);
    return [
      style.textDecorationLine, style.fontWeight, style.fontStyle, style.content,
      style.outlineStyle === "none" ? "" : style.outlineWidth,
      style.borderTopStyle, style.borderTopWidth, style.borderBottomWidth,
      style.borderLeftStyle, style.borderLeftWidth, style.display,
    ].join();
  }).join()).join()"""
"""What a style can show a state by, apart from the colours of text and background."""


def colour(target: Locator, name: str) -> str:
    """The computed value of a property of the element."""
    value: str = target.evaluate("(element, name) => getComputedStyle(element)[name]", name)
    return value


def system_colours(page: Page) -> tuple[str, str]:
    """The colours of background and text that the system has forced on the page."""
    canvas, text = page.evaluate(
        """() => ["Canvas", "CanvasText"].map((name) => {
          const probe = document.body.appendChild(document.createElement("p"));
          probe.style.color = name;
          const found = getComputedStyle(probe).color;
          probe.remove();
          return found;
        })"""
    )
    return canvas, text


RECORD_MOTION = """() => {
  window.motion = [];
  for (const name of ["animationstart", "transitionrun"]) {
    document.addEventListener(name, (event) => {
      const place = event.target.closest(".cell, .strike");
      window.motion.push(place?.id || place?.className.baseVal || event.target.tagName);
    });
  }
}"""
"""Notes from now on what is drawn."""


def motion(page: Page) -> list[str]:
    """Which cells have been drawn since this was last asked, once each, in order."""
    return list(dict.fromkeys(page.evaluate("() => window.motion.splice(0)")))


def wait_until_all_is_drawn(page: Page) -> None:
    page.evaluate(
        """async () => {
          for (const animation of document.getAnimations()) await animation.finished;
          await new Promise(requestAnimationFrame);
        }"""
    )
