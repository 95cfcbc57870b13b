// What the class page and the teacher's desk can do beyond asking for news: the rows of a list keep their
// order, and keep still as long as a pointer or the focus is among them, the news can be paused, and a
// button stays where it was pressed. A newcomer comes in by itself. It hangs on the swap, whatever brings the news.
(() => {
  "use strict";

  let paused = false;

  document.addEventListener("click", (event) => {
    const button = event.target.closest("#pause");
    if (!button) return;
    paused = !paused;
    [button.textContent, button.dataset.other] = [button.dataset.other, button.textContent];
    document.getElementById("class").toggleAttribute("data-paused", paused);
    if (!paused) htmx.trigger("#class", "news");
  });

  /** Let a row say that it is gone, as high as it was. */
  function fade(row, sentence) {
    const why = document.createElement("p");
    why.textContent = sentence;
    row.append(why);
    row.classList.add("gone");
  }

  /** Let a row that is gone fade in its place. */
  function leaving(row) {
    const kept = row.cloneNode(true);
    kept.classList.add("leaving");
    kept.inert = true;
    return kept;
  }

  /** Let what follows come up then, but under no pointer or focus. */
  function close(row) {
    setTimeout(() => {
      if (row.closest("ul:hover, ul:focus-within")) close(row);
      else if (row.matches(".leaving")) row.remove();
    }, 200);
  }

  /** Put the rows of a list into the order in which they are shown; new ones follow. */
  function order(shown, news) {
    const rows = [...shown.querySelectorAll("li[id]")].map((row) => news.querySelector(`#${row.id}`) ?? leaving(row));
    news.querySelector("ul")?.prepend(...rows);
  }

  /**
   * Put into the news of a list the rows that it shows, each in its place.
   *
   * @param grows whether new rows follow at its end, or wait for a later update
   * @returns whether anything waits for one
   */
  function keep(shown, news, grows) {
    const kept = shown.cloneNode(true);
    const fresh = new Map([...news.querySelectorAll("li[id]")].map((row) => [row.id, row]));
    for (const row of kept.querySelectorAll("li[id]")) {
      if (fresh.has(row.id)) row.replaceWith(fresh.get(row.id));
      else if (!row.matches(".gone")) fade(row, shown.dataset.gone);
      fresh.delete(row.id);
    }
    if (grows) kept.querySelector("ul").append(...fresh.values());
    const waits = kept.querySelector(".gone") !== null || (!grows && fresh.size > 0);
    news.replaceChildren(...kept.childNodes);
    return waits;
  }

  // --- coming in -----------------------------------------------------------------------------------

  const AGAIN = 3000; // milliseconds, about

  /** Let a newcomer come in, on a page that is seen; one that is only loaded ahead is hidden. */
  function comeIn() {
    if (!document.hidden) document.getElementById("enter")?.click();
  }

  document.addEventListener("visibilitychange", comeIn);
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.sourceElement.id === "come-in") setTimeout(comeIn, AGAIN * (0.75 + Math.random() / 2));
  });
  comeIn();

  // --- news ----------------------------------------------------------------------------------------

  const isAsked = ({ ctx }) => ctx.sourceEvent?.type !== "news"; // by a button, which answers at once
  let top = 0; // where the focus is on the screen

  document.addEventListener("htmx:before:swap", (event) => {
    const news = event.detail.tasks[0]?.fragment.getElementById("class");
    top = document.activeElement.getBoundingClientRect().top;
    if (!news) return;
    const asked = isAsked(event.detail);
    if (paused && !asked) event.preventDefault(); // it was on its way
    news.toggleAttribute("data-paused", paused);
    // Why something was not done stays until something else is.
    const refused = asked ? null : document.getElementById("refused");
    const place = news.querySelector(".heading p");
    if (refused && place) place.replaceWith(refused.cloneNode(true));
    else if (refused) news.prepend(refused.cloneNode(true));
    // From the last to the first: a list above one that is held must not grow either.
    let held = false;
    let waits = false;
    for (const shown of [...document.querySelectorAll("#class [data-gone]")].reverse()) {
      const here = shown.querySelector("ul:hover, ul:focus-within") !== null;
      const fresh = news.querySelector(`#${shown.id}`);
      if (here || held) waits = keep(shown, fresh, !held) || waits;
      else if (shown.matches("[data-still]")) order(shown, fresh);
      held ||= here;
    }
    if (waits) news.dataset.again = 2; // what was held back is still to come
  });

  let isTold = false; // whether what is said came of a button

  document.addEventListener("htmx:after:swap", (event) => {
    document.querySelectorAll(".leaving").forEach(close);
    const focused = document.activeElement;
    const row = focused.closest(".gone");
    let said = row?.lastElementChild.textContent;
    if (isAsked(event.detail) && focused.matches(".host-page button")) {
      // The button that was pressed stays under the finger.
      window.scrollBy(0, focused.getBoundingClientRect().top - top);
      for (let part = focused; part; part = part.parentElement) said ??= part.querySelector("[data-told]")?.textContent;
    }
    isTold = isAsked(event.detail) || (isTold && !row);
    const live = document.getElementById("live");
    // What came of a button is left for as long as nothing else is to be said.
    if (live && (isAsked(event.detail) || !isTold)) live.textContent = said ?? "";
    const before = row?.closest("[data-gone]").previousElementSibling;
    const headings = [before?.querySelector("h2"), before, row && document.querySelector("#class h2")];
    headings.find((one) => one?.matches("[tabindex]"))?.focus();
  });
})();
