// What the teacher's desk can do beyond its forms: keys for the buttons that are pressed most, a second press that
// undoes nothing, and real names beside those in the game. These stay in this browser: nothing here sends one.
(() => {
  "use strict";

  // --- keys, and presses -----------------------------------------------------------------------------

  const KEYS = { " ": "pause-games", ArrowLeft: "step-earlier", ArrowRight: "step-later", PageUp: "step-earlier", PageDown: "step-later" };
  const TYPED = "input, select, textarea, dialog";

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.target.closest(".over[open]")?.querySelector("summary").focus();
      leave({ target: document });
    }
    const button = document.getElementById(KEYS[event.key]);
    const taken = event.key === " " ? `a, button, summary, ${TYPED}` : TYPED;
    if (!button || event.ctrlKey || event.metaKey || event.altKey || event.target.closest(taken)) return;
    event.preventDefault();
    if (!event.repeat) button.click();
  });

  const SOON = 600; // milliseconds after a button has come to say the opposite
  const toggles = () => [...document.querySelectorAll("[data-toggles]")];
  const said = new Map(toggles().map((button) => [button.id, button.textContent]));
  const shut = new Set(); // whatever is swapped meanwhile

  function open(id) {
    shut.delete(id);
    document.getElementById(id)?.removeAttribute("aria-disabled");
  }

  document.addEventListener("htmx:after:swap", () => {
    for (const button of toggles()) {
      const { id, textContent: says } = button;
      if (said.get(id) !== says) {
        said.set(id, says);
        shut.add(id);
        setTimeout(() => open(id), SOON);
      }
      if (shut.has(id)) button.setAttribute("aria-disabled", "true");
    }
  });

  // On a phone the names of those who are missing are folded, so that the wall is in sight.
  let missing = null;
  function fold() {
    const shown = document.getElementById("missing");
    if (shown !== missing && matchMedia("(max-width: 50em)").matches) shown?.removeAttribute("open");
    missing = shown;
  }
  document.addEventListener("htmx:after:swap", fold);
  fold();

  const lists = () => document.querySelectorAll("#on-the-wall details[open]");
  let chosen = false; // whether a game or a page has been chosen for the wall: its list then closes

  /** Close whatever lies over the page and is no longer in use. */
  function leave({ target }) {
    for (const fold of document.querySelectorAll(".over[open]")) fold.open = fold.contains(target);
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-toggles][aria-disabled]")) {
      event.preventDefault();
      event.stopPropagation();
    }
    chosen = event.target.closest("#on-the-wall details button") !== null;
    leave(event);
  }, true);
  document.addEventListener("focusin", leave);

  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    if (!chosen || ctx.sourceEvent?.type === "news") return;
    chosen = false;
    for (const list of lists()) {
      list.removeAttribute("open");
      list.querySelector("summary").focus();
    }
  });

  // --- real names, by the numbers of players -----------------------------------------------------------

  const place = document.getElementById("real-names");
  const KEPT = `real-names-${place?.dataset.of}`; // another data folder is another class
  const words = JSON.parse(place?.dataset.words ?? "{}");
  let names = {};
  try {
    const before = localStorage.getItem("real-names"); // of a version that knew one class only
    if (place && before) localStorage.setItem(KEPT, before);
    if (place) localStorage.removeItem("real-names");
    names = JSON.parse(localStorage.getItem(KEPT)) ?? {};
  } catch {
    // A browser that keeps nothing, or something else under that name.
  }

  const say = (sentence) => (document.getElementById("live").textContent = sentence);

  /** Show the real names beside the others, in the page or in news for it. */
  function show(page) {
    document.getElementById("with-names")?.toggleAttribute("hidden", !Object.keys(names).length);
    for (const place of page.querySelectorAll("[data-number]")) {
      place.querySelector(".real")?.remove();
      const name = names[place.dataset.number];
      if (!name) continue;
      const real = Object.assign(document.createElement("i"), { className: "real", textContent: name });
      place.querySelector("bdi").after(" ", real);
    }
  }

  /** Let the table have a line for each player whom the page names. */
  function fill() {
    const fields = new Map([...document.querySelectorAll("main [data-number]")].map((place) => {
      const name = place.querySelector("bdi").textContent;
      const label = document.createElement("label");
      const field = Object.assign(document.createElement("input"), { maxLength: 60, autocomplete: "off" });
      field.value = names[place.dataset.number] ?? "";
      field.dataset.about = place.dataset.number;
      label.append(Object.assign(document.createElement("bdi"), { textContent: name }), " ", field);
      return [place.dataset.number, label];
    }));
    document.querySelector("#real-names ul").replaceChildren(...[...fields.values()].map((label) => {
      const line = document.createElement("li");
      line.append(label);
      return line;
    }));
  }

  function keep(changed) {
    names = changed;
    try {
      if (Object.keys(names).length) localStorage.setItem(KEPT, JSON.stringify(names));
      else localStorage.removeItem(KEPT);
    } catch {
      say(words.unkept);
    }
    show(document);
  }

  /** Give the browser a file that it has made itself. */
  function hand(text, type, name) {
    const link = Object.assign(document.createElement("a"), { download: name });
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  async function read(file) {
    const found = Object.entries(JSON.parse(await file.text()));
    const right = found.filter(([number, name]) => /^\d+$/.test(number) && typeof name === "string");
    if (!right.length) throw new TypeError("no names");
    keep({ ...names, ...Object.fromEntries(right) });
    fill();
    say(words.read.replace("{number}", right.length));
  }

  /** Give the tickets of pupils to come the names of a list, a line each; all are sorted by the last names. */
  function paste(list) {
    const free = [...document.querySelectorAll("[data-waits]")].map((ticket) => ticket.dataset.number);
    const real = list.split("\n").map((line) => line.trim()).filter(Boolean);
    keep({ ...names, ...Object.fromEntries(real.slice(0, free.length).map((name, at) => [free[at], name])) });
    fill();
    sort();
    // Without tickets enough the list waits until the next ones are made.
    const missing = real.length - free.length, more = document.querySelector("[name=more]");
    sessionStorage.setItem("class-list", missing > 0 ? list : "");
    if (missing > 0) more.value = Math.min(missing, more.max);
  }

  function sort() {
    const last = (ticket) => (names[ticket.dataset.number] ?? "").split(" ").pop();
    for (const sheet of document.querySelectorAll(".tickets")) {
      sheet.append(...[...sheet.children].sort((one, other) => !last(one) - !last(other) || last(one).localeCompare(last(other))));
    }
  }

  place?.addEventListener("toggle", fill);
  document.addEventListener("change", ({ target }) => {
    if (target.id === "read-names") {
      read(target.files[0]).catch(() => say(words.empty));
      target.value = "";
    } else if (target.id === "class-list") {
      paste(target.value);
    } else if (target.dataset.about) {
      const { [target.dataset.about]: _before, ...rest } = names;
      const name = target.value.trim();
      keep(name ? { ...rest, [target.dataset.about]: name } : rest);
    }
  });

  document.addEventListener("click", (event) => {
    const table = event.target.closest("#with-names a");
    if (event.target.id === "keep-names") {
      hand(JSON.stringify(names, null, 1), "application/json", "real-names.json");
    } else if (event.target.id === "forget-names") {
      keep({});
      fill();
      say(words.forgotten);
    } else if (table) {
      event.preventDefault();
      withRealNames(table).catch(() => say(words.unanswered));
    }
  });

  document.addEventListener("submit", (event) => {
    if (event.target.id !== "leaving") return;
    if (event.submitter?.value === "forget") keep({});
    if (event.submitter?.value || !Object.keys(names).length) return;
    event.preventDefault();
    document.getElementById("forget").showModal();
  });

  document.addEventListener("htmx:before:swap", ({ detail: { tasks } }) => tasks.forEach((task) => task.fragment && show(task.fragment)));
  show(document);
  const list = document.getElementById("class-list") && sessionStorage.getItem("class-list");
  if (list) paste(list);
  else sort();

  // --- tables ---------------------------------------------------------------------------------------------

  /** The cells of each line of a table. */
  async function lines(address) {
    const text = await (await fetch(address)).text(); // without the mark at its beginning
    return text.trimEnd().split("\r\n").map((line) => ({
      line,
      cells: `${line},`.match(/("(?:[^"]|"")*"|[^,]*),/g).map((cell) => cell.slice(0, -1).replace(/^"|"$/g, "").replaceAll('""', '"')),
    }));
  }

  /** Download a table with a column of real names for each column of names. */
  async function withRealNames(link) {
    const [head, ...players] = (await lines(link.parentElement.dataset.players)).map(({ cells }) => cells);
    const [name, number] = [head.indexOf(words.name), head.indexOf(words.number)];
    const real = new Map(players.map((cells) => [cells[name], names[cells[number]] ?? ""]));
    const [titles, ...rest] = await lines(link.href);
    const columns = titles.cells.flatMap((title, at) => ([words.name, "X", "O"].includes(title) ? [at] : []));
    // No spreadsheet may take a name for a formula.
    const quoted = (text) => `"${text.replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`;
    const added = ({ line, cells }, of) => [line, ...columns.map((at) => quoted(of(cells[at])))].join(",");
    const table = [added(titles, (title) => words.real.replace("{column}", title)), ...rest.map((one) => added(one, (who) => real.get(who) ?? ""))];
    hand(`\ufeff${table.join("\r\n")}\r\n`, "text/csv", link.pathname.split("/").at(-1));
  }
})();
