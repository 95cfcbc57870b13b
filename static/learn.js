// What the learning pages can do beyond links: stepping through a game and moving over the table by
// arrow keys, and dragging rules. All of it can be done without this file.
(() => {
  "use strict";

  const busy = (event) =>
    event.ctrlKey || event.metaKey || event.altKey || event.shiftKey ||
    event.target.closest?.("input, select, textarea, .scroller");

  // A button that leads nowhere keeps the focus, and adds nothing to where Back leads. And the
  // second click of a double click must not press what the answer to the first put there.
  let pressed = null; // the link that was clicked last
  let pointed = false; // whether by a pointer

  document.addEventListener(
    "click",
    (event) => {
      const link = event.target.closest("a");
      const step = link?.closest("#review") && !busy(event);
      if (step && wanted !== null && link.id in BY_LINK) {
        event.preventDefault();
        event.stopPropagation();
        go(BY_LINK[link.id]);
        pressed = link;
      } else if (
        link?.hasAttribute("aria-disabled") || (link && event.detail > 1 && link !== pressed)
      ) {
        event.preventDefault();
        event.stopPropagation();
      } else {
        if (step) wanted = Number(new URL(link.href).searchParams.get("at"));
        pressed = link;
        pointed = event.detail > 0;
      }
    },
    true,
  );

  // The menu may be wider than a phone: the place that it is about comes into view.
  const rooms = document.querySelector(".rooms");
  const room = rooms?.querySelector("[aria-current]");
  if (room) rooms.scrollLeft = room.offsetLeft - (rooms.clientWidth - room.offsetWidth) / 2;

  // --- a game under review ------------------------------------------------------------------

  const STEPS = {
    ArrowLeft: (at) => at - 1,
    ArrowRight: (at) => at + 1,
    Home: () => 0,
    End: (_at, last) => last,
  };
  const BY_LINK = { "step-earlier": "ArrowLeft", "step-later": "ArrowRight" };
  let wanted = null; // where the steps have led, until the last answer is there

  /** Take a step from where those before it have led. */
  function go(key) {
    const { at, last } = document.getElementById("review").dataset;
    const here = wanted ?? Number(at);
    const to = Math.min(Number(last), Math.max(0, STEPS[key](here, Number(last))));
    if (to === here) return;
    const link = document.getElementById(to ? `move-${to}` : "step-first");
    link.removeAttribute("aria-disabled"); // what is shown is not where the steps have led
    link.click();
  }

  // --- a search, step by step ---------------------------------------------------------------

  const OF_A_SEARCH = { ArrowLeft: "step-earlier", ArrowRight: "step-later", Home: "step-first", End: "step-last" };

  document.addEventListener("keydown", (event) => {
    if (!document.getElementById("lookahead") || !(event.key in OF_A_SEARCH) || busy(event)) return;
    event.preventDefault();
    document.getElementById(OF_A_SEARCH[event.key]).click();
  });

  document.addEventListener("keydown", (event) => {
    if (!document.getElementById("review") || !(event.key in STEPS) || busy(event)) return;
    event.preventDefault();
    go(event.key);
  });

  document.addEventListener("htmx:after:swap", () => {
    // An answer to an earlier step may still come while a later one is on its way.
    if (Number(document.getElementById("review")?.dataset.at) === wanted) wanted = null;
  });

  // --- the table of all engines: one tab stop, moved over by arrow keys ---------------------

  const table = document.querySelector(".heat");
  const cells = table ? [...table.querySelectorAll("td a")] : [];

  function setTabStop(link) {
    cells.forEach((cell) => {
      cell.tabIndex = cell === link ? 0 : -1;
    });
  }

  table?.addEventListener("keydown", (event) => {
    const [right, down] =
      { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ??
      [];
    let cell = event.target.closest("td");
    if (!cell || right === undefined) return;
    event.preventDefault();
    do {
      cell = table.rows[cell.parentElement.rowIndex + down]?.cells[cell.cellIndex + right];
    } while (cell?.matches(".itself"));
    if (cell?.matches("td")) cell.firstElementChild.focus();
  });

  table?.addEventListener("focusin", (event) => {
    if (cells.includes(event.target)) setTabStop(event.target);
  });

  table?.addEventListener("htmx:after:swap", () => {
    cells.forEach((cell) => {
      if (cell.search === window.location.search) cell.setAttribute("aria-current", "true");
      else cell.removeAttribute("aria-current");
    });
  });

  if (table) setTabStop(table.querySelector("td [aria-current]") ?? cells[0]);

  // --- a list of rules: dragged by a mouse or a pen; a finger scrolls -------------------------

  document.addEventListener("htmx:after:swap", () => {
    if (!pressed) return;
    if (document.activeElement === pressed) {
      pressed.scrollIntoView({ block: "nearest" }); // its rule may have moved out of sight
    } else if (document.activeElement === document.body) {
      // After a rule is added it can be taken out next, and the other way round: the focus goes there.
      const [action, ...slug] = pressed.id.split("-");
      const other = { add: "without", without: "add" }[action];
      // A pointer finds the next rule where this one was, so the page stays where it is.
      document.getElementById(`${other}-${slug.join("-")}`)?.focus({ preventScroll: pointed });
    }
  });

  const order = (list) => [...list.children].map((rule) => rule.dataset.rule).join(",");

  /** Put the rules back into the order that the server knows. */
  function restore(list) {
    for (const slug of list.dataset.list.split(",")) {
      list.append(list.querySelector(`[data-rule="${slug}"]`));
    }
  }

  document.addEventListener("pointerdown", (event) => {
    const rule = event.target.closest?.("[data-list] > li");
    if (!rule || event.pointerType === "touch" || event.button || event.target.closest("a")) return;
    event.preventDefault();
    const list = rule.parentElement;
    rule.classList.add("dragged");

    function move({ clientY }) {
      const others = [...list.children].filter((other) => other !== rule);
      const below = others.find((other) => {
        const { top, height } = other.getBoundingClientRect();
        return clientY < top + height / 2;
      });
      if (rule.nextElementSibling !== (below ?? null)) list.insertBefore(rule, below ?? null);
    }

    function drop() {
      document.removeEventListener("pointermove", move);
      rule.classList.remove("dragged");
      if (order(list) === list.dataset.list) return;
      const address = new URL(window.location.pathname, window.location.origin);
      address.search = `?list=${order(list)}&from=${list.dataset.list}`;
      const path = address.pathname + address.search;
      htmx.ajax("GET", path, { source: list, target: "#lab", swap: "outerMorph", push: "true" });
    }

    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", drop, { once: true });
    document.addEventListener("pointercancel", drop, { once: true });
  });

  // --- a request that fails leaves everything as it was ---------------------------------------

  for (const failure of ["htmx:error", "htmx:response:error"]) {
    document.addEventListener(failure, ({ target }) => {
      wanted = null;
      if (target.matches?.("[data-list]")) restore(target);
    });
  }

  document.addEventListener("htmx:before:history:update", (event) => {
    if (event.detail.response.status >= 400) event.preventDefault();
  });
})();
