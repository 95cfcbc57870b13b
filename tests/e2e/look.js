// What a person sees to be wrong with a page as it is shown now: a sentence for each fault.
() => {
  "use strict";

  const found = new Set();
  const said = (text) => text.trim().replace(/\s+/g, " ").slice(0, 60);
  const hidden = ".visually-hidden, .skip, [hidden], option, noscript, template, svg title, svg desc";
  const styles = new Map();
  const style = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const folded = (element) => {
    const fold = element?.closest("details:not([open])");
    return fold && !(element.closest("summary")?.parentElement === fold && !folded(fold.parentElement));
  };
  const shown = (element) =>
    !element.closest(hidden) && !folded(element) && ![...above(element)].some((one) => style(one).clipPath.startsWith("inset(50%")) && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  function* above(element) {
    for (let one = element; one && one !== document.documentElement; one = one.parentElement) yield one;
  }
  // What lies over the page on a ground of its own covers what is below: each is looked at for itself.
  const layer = (element) => [...above(element)].find((one) => {
    const { position, zIndex, backgroundColor } = style(one);
    const lifted = position === "absolute" || zIndex !== "auto";
    return /fixed|sticky/.test(position) || (lifted && backgroundColor.startsWith("rgb("));
  });
  const scrolls = (element) => [...above(element)].some((one) => /auto|scroll/.test(style(one).overflowX));
  // A name may end in dots.
  const dotted = (element) =>
    [...above(element)].find((one) => style(one).textOverflow === "ellipsis" || style(one).webkitLineClamp !== "none");

  // --- lines of text ------------------------------------------------------------------------------

  const lines = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts, { data, parentElement: parent } = node;
    if (!data.trim() || !shown(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const cut = dotted(parent)?.getBoundingClientRect() ?? { left: -1e9, right: 1e9, top: -1e9, bottom: 1e9 };
    for (const box of range.getClientRects()) {
      const [left, right] = [Math.max(box.left, cut.left), Math.min(box.right, cut.right)];
      const [top, bottom] = [Math.max(box.top, cut.top), Math.min(box.bottom, cut.bottom)];
      if (right - left > 2 && bottom - top > 2) lines.push({ node, parent, data, left, right, top, bottom });
    }
    const named = new Set();
    for (const { index, 0: name } of data.matchAll(/\u2068[^\u2069]*\u2069/g)) {
      for (let at = index; at < index + name.length; at += 1) named.add(at);
    }
    for (const word of data.matchAll(/[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu)) {
      const around = data.slice(Math.max(0, word.index - 1), word.index + word[0].length + 1);
      // Names, code and addresses may be broken anywhere, Chinese is, and a word where it says so.
      if (/\p{Script=Han}/u.test(word[0]) || /[/?=&\u00AD]/.test(around) || parent.closest("bdi, code, pre") || named.has(word.index)) continue;
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
      if (Math.max(...tops) - Math.min(...tops) > 4) found.add(`a word is broken: ${word[0]}`);
    }
  }

  // Letters are lower than their lines.
  const letters = lines.map((line) => {
    const spare = (line.bottom - line.top) / 24;
    return { ...line, layer: layer(line.parent), left: line.left + 1, right: line.right - 1, top: line.top + spare, bottom: line.bottom - spare };
  });
  const over = (one, other, by = 0) =>
    one.left < other.right - by && other.left < one.right - by && one.top < other.bottom - by && other.top < one.bottom - by;
  // On the projector names of two lines stand close, and a pixel is little there.
  const onTheWall = location.pathname.endsWith("/class/board"), touching = onTheWall ? 2 : 0.9;
  letters.sort((one, other) => one.top - other.top);
  letters.forEach((one, at) => {
    for (let n = at + 1; n < letters.length && letters[n].top < one.bottom; n += 1) {
      if (letters[n].node !== one.node && letters[n].layer === one.layer && over(one, letters[n], touching))
        found.add(`text lies over text: ${said(one.data)} | ${said(letters[n].data)}`);
    }
  });

  const drawings = [...document.querySelectorAll("svg:not(.grid), img")].filter(shown);
  for (const drawing of drawings) {
    const box = drawing.getBoundingClientRect(), own = layer(drawing);
    for (const line of letters) {
      if (line.layer === own && over(line, box, 1) && !drawing.contains(line.parent))
        found.add(`text lies over a drawing: ${said(line.data)} | ${drawing.getAttribute("class") ?? drawing.tagName}`);
    }
  }

  for (const line of lines) {
    if (scrolls(line.parent)) continue;
    const { left, right, top, bottom } = line, spare = (bottom - top) / 4;
    if (left < -1 || right > innerWidth + 1) found.add(`text is off the screen: ${said(line.data)}`);
    for (const one of above(line.parent)) {
      if (one === document.body || style(one).display === "contents" || one.closest("svg")) continue;
      if (style(one).display === "inline") continue;
      const box = one.getBoundingClientRect();
      const clips = style(one).overflowX !== "visible" && !dotted(one);
      const framed = one.matches("button, .button, input, td, th, label, legend") || parseFloat(style(one).borderLeftWidth) > 0
        || style(one).backgroundColor !== "rgba(0, 0, 0, 0)";
      if (!clips && !framed) continue;
      if (left < box.left - 1 || right > box.right + 1 || (clips && (top + spare < box.top - 1 || bottom - spare > box.bottom + 1)))
        if (!dotted(line.parent)) found.add(`text leaves its box: ${said(line.data)} (${one.tagName.toLowerCase()} ${one.className})`);
    }
  }

  // --- fields and controls -------------------------------------------------------------------------

  for (const field of document.querySelectorAll("[readonly], select")) {
    if (shown(field) && (field.scrollWidth > field.clientWidth + 1 || field.scrollHeight > field.clientHeight + 3)) found.add(`a field is too narrow: ${said(field.value)}`);
  }
  const controls = [...document.querySelectorAll("a[href], button:not([aria-disabled=true]), select, summary, input:not([type=hidden])")]
    .filter((one) => shown(one) && !scrolls(one));
  const boxes = controls.flatMap((control) => [...control.getClientRects()].map((box) => [control, box, layer(control)]));
  boxes.forEach(([one, box, own], at) => {
    for (const [other, its, others] of boxes.slice(at + 1)) {
      if (one === other || own !== others || one.contains(other) || other.contains(one) || !over(box, its, 2)) continue;
      found.add(`one control lies over another: ${said(one.textContent || one.id)} | ${said(other.textContent || other.id)}`);
    }
  });

  // --- blocks ------------------------------------------------------------------------------------------

  const NARROW = 8;
  for (const block of document.querySelectorAll("h1, h2, h3, p, li, dt, dd, legend, label, summary, figcaption, td, th")) {
    if (!shown(block) || scrolls(block)) continue;
    const own = lines.filter(({ parent, data }) => [...above(parent)].find((one) => style(one).display !== "inline") === block && !parent.closest("bdi") && !data.includes("\u2068"));
    const rows = new Set(own.map(({ top }) => Math.round(top / 4)));
    if (rows.size < 3) continue;
    const letter = parseFloat(style(block).fontSize) / 2;
    const widest = Math.max(...own.map(({ right }) => right)) - Math.min(...own.map(({ left }) => left));
    if (widest < NARROW * letter) found.add(`a block is too narrow: ${said(block.textContent)}`);
  }

  // --- what a finger needs ----------------------------------------------------------------------------

  const amidText = (link) => {
    if (style(link).display !== "inline") return false;
    const around = [...above(link)].find((one) => !style(one).display.startsWith("inline")).cloneNode(true);
    around.querySelectorAll("a").forEach((other) => other.remove());
    return around.textContent.trim() !== "";
  };
  const drawn = "[type=radio], [type=checkbox]";
  const buttons = `button, .button, select, input:not(${drawn}, [type=hidden]), label:has(${drawn})`;
  const least = (one) => (one.matches("#game .cell") ? 88 : one.matches(buttons) ? 48 : 44);
  for (const one of document.querySelectorAll(`${buttons}, a, summary`)) {
    if (!shown(one) || (one.matches("a") && amidText(one))) continue;
    const { width, height } = one.getBoundingClientRect();
    if (Math.min(width, height) < least(one) - 0.01)
      found.add(`too small for a finger: ${said(one.ariaLabel ?? one.textContent)}, ${width} × ${height} px`);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.add("the page is wider than the screen");

  // --- the projector: all is on the screen, and large enough to be read from the last row -------------

  if (onTheWall) {
    if (document.documentElement.scrollHeight > innerHeight) found.add("the page is higher than the screen");
    const small = 25 * Math.min(innerWidth / 1920, innerHeight / 1080) - 0.1;
    for (const { parent, data, top, bottom } of lines) {
      if (parseFloat(style(parent).fontSize) < small) found.add(`letters are small: ${said(data)}`);
      if (top < 0 || bottom > innerHeight) found.add(`text is off the screen: ${said(data)}`);
    }
  }
  return [...found];
}
