// Notes what is wrong with the focus while Tab goes through a page; returns how many stops there are.
//
// Whatever Tab should stop at, in the order of the page, and what each looks like without focus: of
// radio buttons it is the chosen one. Tab begins at the top of the page, and a reader goes from left
// to right in a row, and through columns one by one.
() => {
  "use strict";

  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
  scrollTo(0, 0);
  const look = (element) => {
    const style = getComputedStyle(element);
    return [
      style.outlineStyle, style.outlineWidth, style.outlineOffset, style.outlineColor,
      style.boxShadow, style.backgroundColor, style.borderColor, style.textDecoration,
    ].join(" | ");
  };
  const reached = "a, button, select, input, textarea, summary, [tabindex]";
  const stops = [...document.querySelectorAll(reached)]
    .filter((one) => one.tabIndex >= 0 && one.type !== "hidden")
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => one.type !== "radio" || one.checked);
  const without = stops.map(look);
  // What lies over the page, as the form of a button does, has an order of its own.
  const over = (element) => {
    const lies = (one) => getComputedStyle(one).position === "absolute";
    while (element && !lies(element)) element = element.parentElement;
    return element;
  };
  let before = null, index = -1;
  window.wrong = stops.length ? ["the last stop is not reached"] : [];
  const looked = (element) => {
    index += 1;
    if (index === stops.length - 1) window.wrong.shift();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const here = element.getClientRects()[0].toJSON(), last = before;
    here.top += scrollY, here.bottom += scrollY;
    before = here, here.over = over(element);
    const name = element.getAttribute("aria-label") ?? (element.textContent.trim() || element.id);
    if (stops[index] !== element) return [`${name}: out of turn`];
    if (outlineStyle === "none" || parseFloat(outlineWidth) < 2 || look(element) === without[index])
      return [`${name}: not seen to be focused`];
    if (!last || last.over !== here.over) return [];
    const shared = Math.min(last.bottom, here.bottom) - Math.max(last.top, here.top);
    const row = shared > Math.min(last.height, here.height) / 2;
    const later = row ? last.left <= here.left
      : last.top <= here.top || last.right <= here.left;
    return later ? [] : [`${name}: not in the order of sight`];
  };
  window.note = () => window.wrong.push(...looked(document.activeElement));
  addEventListener("focusin", window.note);
  return stops.length;
}
