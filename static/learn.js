// What the learning pages can do beyond links: stepping through a game and moving over the table by
// arrow keys, and moving rules. All of it can be done without this file.
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

  const OF_A_SEARCH = {
    ArrowLeft: "step-earlier", ArrowRight: "step-later", Home: "step-first", End: "step-last",
  };
  const ahead = new Map(); // answers that came with an earlier one, by their addresses
  let playing = 0;

  const search = () => document.getElementById("lookahead");

  /** Say on the button what it does now. */
  function press(pressed) {
    const button = document.getElementById("step-play");
    if (!button || (button.getAttribute("aria-pressed") === "true") === pressed) return;
    button.setAttribute("aria-pressed", pressed);
    [button.textContent, button.dataset.other] = [button.dataset.other, button.textContent];
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    press(false);
  }

  function play() {
    const later = document.getElementById("step-later");
    if (!later || later.hasAttribute("aria-disabled")) stop();
    else if (!later.classList.contains("htmx-request")) later.click();
  }

  function run() {
    clearInterval(playing);
    press(true);
    playing = setInterval(play, document.querySelector("[name=speed]:checked").value);
    const ended = document.getElementById("step-later").hasAttribute("aria-disabled");
    if (ended) document.getElementById("step-first").click();
    else play();
  }

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    const kept = search() && ahead.get(ctx.request.action);
    if (kept) ctx.fetch = () => Promise.resolve(new Response(kept));
  });

  document.addEventListener("htmx:after:swap", () => {
    for (const [address, answer] of Object.entries(JSON.parse(search()?.dataset.ahead ?? "{}"))) {
      ahead.set(address, answer);
    }
    // What was pressed may be gone: a guess, or a board that is open now.
    if (search() && document.activeElement === document.body) {
      document.getElementById("step-later").focus({ preventScroll: true });
    }
  });

  // Whatever else is pressed ends the run.
  document.addEventListener("click", ({ target, isTrusted }) => {
    if (!search() || !isTrusted || target.closest(".playing fieldset")) return;
    const starts = target.id === "step-play" && !playing;
    stop();
    if (starts) run();
    const cell = target.closest(".lookahead .cell");
    if (cell) document.querySelector(`[data-cell="${cell.id.slice(1)}"] a`)?.click();
  });

  document.addEventListener("change", ({ target }) => {
    if (playing && target.name === "speed") run();
  });

  // A free cell of the board and its branch light up together.
  for (const [type, on] of [["over", true], ["out", false]]) {
    document.addEventListener(`pointer${type}`, ({ target }) => {
      const one = target.closest?.(".lookahead .cell, [data-cell]");
      const cell = one?.dataset.cell ?? one?.id.slice(1);
      for (const both of one ? document.querySelectorAll(`#c${cell}, [data-cell="${cell}"]`) : []) {
        both.classList.toggle("pointed", on);
      }
    });
  }

  document.addEventListener("keydown", (event) => {
    if (!search() || !(event.key in OF_A_SEARCH) || busy(event)) return;
    event.preventDefault();
    stop();
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

  // --- a list of rules: a grip moves its strip, by dragging or by arrow keys --------------------

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
    const focused = document.activeElement;
    for (const slug of list.dataset.list.split(",")) {
      list.append(list.querySelector(`[data-rule="${slug}"]`));
    }
    focused.focus({ preventScroll: true });
  }

  /** Ask for the order that the rules are in. */
  function arrange(list) {
    const path = `${window.location.pathname}?list=${order(list)}&from=${list.dataset.list}`;
    htmx.ajax("GET", path, { source: list, target: "#lab", swap: "outerMorph", push: "true" });
  }

  // The rule that is held stays in the page, so focus and finger stay on it: those that it passes move.
  document.addEventListener("keydown", (event) => {
    const grip = event.target.closest?.(".grip");
    const key = /^Arrow(Up|Down)$/.exec(event.key)?.[1];
    if (!grip || !key || busy(event)) return;
    event.preventDefault();
    const rule = grip.parentElement;
    const passed = key === "Up" ? rule.previousElementSibling : rule.nextElementSibling;
    if (!passed) return;
    if (key === "Up") rule.after(passed);
    else rule.before(passed);
    pressed = grip;
    arrange(rule.parentElement);
  });

  document.addEventListener("pointerdown", (event) => {
    const rule = event.target.closest?.(".grip")?.parentElement;
    if (!rule || event.button) return;
    const list = rule.parentElement;
    const before = order(list);
    const held = event.clientY - rule.getBoundingClientRect().top;
    let dragged = false;
    let lifted = 0; // by how many pixels the rule is drawn below its place

    const middle = (other) => {
      const { top, height } = other.getBoundingClientRect();
      return top + height / 2;
    };

    function move({ clientY }) {
      dragged ||= Math.abs(clientY - event.clientY) > 4;
      if (!dragged) return;
      rule.classList.add("dragged");
      let other;
      while ((other = rule.previousElementSibling) && clientY < middle(other)) rule.after(other);
      while ((other = rule.nextElementSibling) && clientY > middle(other)) rule.before(other);
      lifted += clientY - held - rule.getBoundingClientRect().top;
      rule.style.translate = `0 ${lifted}px`;
    }

    function drop() {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", drop);
      document.removeEventListener("pointercancel", drop);
      if (!dragged) return;
      rule.classList.remove("dragged");
      rule.removeAttribute("style");
      // The click that ends a drag presses nothing.
      const still = (click) => {
        click.preventDefault();
        click.stopPropagation();
      };
      window.addEventListener("click", still, true);
      setTimeout(() => window.removeEventListener("click", still, true));
      if (order(list) !== before) arrange(list);
    }

    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", drop);
    document.addEventListener("pointercancel", drop);
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
