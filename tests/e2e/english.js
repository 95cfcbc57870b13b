// Words of two letters without an accent, which the pseudo-language has in no message: not codes, nor
// what a program reads.
(html) => {
  const page = html === null ? document : new DOMParser().parseFromString(html, "text/html");
  const kept =
    "bdi, code, script, style, noscript, time, .languages, .you, .says [lang]";
  const codes = /https?:\S+|\b[2-9A-HJKMNP-Z]{6}\b|\b[2-9A-HJKMNP-Z]{4} [2-9A-HJKMNP-Z]{4}\b/g;
  const without = (text) => text.replace(codes, "");
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = /(?<![\p{L}\d./=_-])[a-zA-Z]{2,}(?![\p{L}/=_.-]\w)/u;
    const left = node.parentElement.closest(kept) ? "" : without(node.data);
    if (words.test(left)) found.push(left.trim());
  }
  for (const element of page.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
    for (const name of ["aria-label", "title", "placeholder", "alt"]) {
      const said = without(element.getAttribute(name) ?? "");
      if (/^[ -~]*[a-z]{2,}[ -~]*$/.test(said)) found.push(`${name}: ${said}`);
    }
  }
  return found;
}
