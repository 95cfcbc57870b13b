// What HTML and htmx cannot do: a mark at the tap, before the server has answered; moving over the
// board by keys; a few words when the network fails. Everything else works without this file.
(() => {
  "use strict";

  const WORDS = JSON.parse(document.currentScript.dataset.words);

  // Now, not in a later task when the page may be shown already: a click or a key before it
  // would load a whole page.
  htmx.initialize();

  const game = () => document.getElementById("game");
  const cell = (number) => document.getElementById(`c${number}`);
  const cells = () => [...document.querySelectorAll("button.cell")];
  const free = (button) => button.querySelector(".ghost") !== null;

  function say(sentence) {
    const live = document.getElementById("live");
    if (live) live.textContent = sentence;
  }

  // --- what this browser remembers for itself -------------------------------------------------

  const wanted = { sound: false, keys: true }; // until a switch of the settings says otherwise

  for (const setting of Object.keys(wanted)) {
    const box = document.querySelector(`[data-setting="${setting}"]`);
    try {
      wanted[setting] = JSON.parse(localStorage.getItem(setting)) ?? wanted[setting];
    } catch {
      // A browser that keeps nothing, or something else under that name.
    }
    if (box) box.checked = wanted[setting];
    box?.addEventListener("change", () => {
      wanted[setting] = box.checked;
      try {
        localStorage.setItem(setting, box.checked);
      } catch {
        // It holds for this page.
      }
    });
  }

  // --- the board by keys -------------------------------------------------------------------------

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  let current = 4; // the cell that Tab reaches; the board is one tab stop

  /** Make one cell of the board the tab stop. */
  function setTabStop(number) {
    current = number;
    cells().forEach((button, index) => {
      button.tabIndex = index === number ? 0 : -1;
    });
  }

  /** The cell that a key on a cell leads to; none for other keys. */
  function next(key, at) {
    if (!(key in ARROWS)) return undefined;
    const [right, down] = ARROWS[key];
    const column = Math.min(2, Math.max(0, (at % 3) + right));
    const row = Math.min(2, Math.max(0, Math.floor(at / 3) + down));
    return cell(3 * row + column);
  }

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !cells().length) return;
    const on = target.closest?.("button.cell");
    if (on && key in ARROWS) {
      next(key, cells().indexOf(on)).focus();
    } else if (/^[1-9]$/.test(key) && (on || wanted.keys) && !target.closest("input, select")) {
      const played = cell(Number(key) - 1);
      played.focus();
      if (!event.repeat) played.click();
    } else if ((key === "Enter" || key === " ") && game()?.dataset.outcome && !event.repeat) {
      // The game is over, so on the board and on the page as a whole these keys play again.
      if (!on && target !== document.body) return;
      document.querySelector("#again:not([aria-disabled])")?.click();
    } else {
      return;
    }
    event.preventDefault();
  });

  document.addEventListener("focusin", (event) => {
    const button = event.target.closest?.("button.cell");
    if (button) setTabStop(cells().indexOf(button));
  });

  // --- clicks ------------------------------------------------------------------------------------

  // The second click of a double click, or a finger that taps one spot again and again, must not
  // press what the answer to the first put there, nor leave the game that the first has just started.
  let pressed = null;
  const NONE = { timeStamp: -Infinity };
  let last = NONE;
  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("button");
      const soon = event.timeStamp - last.timeStamp < 500;
      const near = Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY) < 24;
      const repeated = event.detail > 1 || (event.detail === 1 && soon && near);
      last = event;
      if (repeated && (button !== pressed || button?.matches("#again, #new, .chip"))) {
        event.preventDefault();
        event.stopPropagation();
      } else {
        pressed = button;
      }
    },
    true,
  );

  // A step of the ladder is a line of the dropdown, which alone says whom the next game is against.
  const opponents = () => document.getElementById("opponent");

  document.addEventListener("click", (event) => {
    const step = event.target.closest(".step");
    if (!step || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    opponents().value = step.dataset.opponent;
    opponents().dispatchEvent(new Event("change", { bubbles: true }));
  });

  // A change of the controls in mid-game is for the next game; on the empty board htmx asks for another one.
  document.addEventListener("change", ({ target }) => {
    if (!target.closest("#setup")) return;
    const menace = opponents().value === "menace"; // which has X
    for (const mark of document.querySelectorAll("#setup [name=mark]")) {
      mark.disabled = menace && mark.value !== "o";
      if (menace) mark.checked = !mark.disabled;
    }
    if (!document.querySelector("#game[data-going]")) return;
    document.querySelector(".status > p:not(.clock)").textContent = WORDS.later;
    say(WORDS.later);
  });

  // --- sound and celebration: fetched when there is something to hear or to see --------------------

  const PAUSE = 350; // milliseconds before the reply is drawn, as in the stylesheet
  const DRAW = 200; // and until a mark or a line is

  async function delight(what, about) {
    const source = document.querySelector("[data-delight]")?.dataset.delight;
    if (source) (await import(source))[what](about);
  }

  /** Keep a page up to date on which something may now change by itself. */
  function ask() {
    const sources = document.querySelector("[data-asks]")?.dataset.asks.split(" ") ?? [];
    if (document.querySelector("[data-topic]")) for (const source of sources) import(source).catch(() => {});
  }

  /** Let a mark be heard as it is drawn, where the player wants that. */
  function stroke(mark) {
    if (wanted.sound) delight("stroke", mark.classList.contains("x") ? 2 : 1).catch(() => {});
  }

  /** Make something of a win. */
  function celebrate() {
    // When the line is struck through; without it a win is still a win.
    setTimeout(() => delight("celebrate", document.getElementById("board")).catch(() => {}), 2 * DRAW);
    if (wanted.sound) delight("cheer").catch(() => {});
  }

  // --- a move on its way ---------------------------------------------------------------------------

  const PATIENCE = 500; // milliseconds until the page says that it waits

  let waiting = null; // what is undone when the answer is there: the mark at the tap, the three dots

  /** Draw a mark before the server knows of it, and let no other cell be played meanwhile. */
  function draw(button) {
    const others = cells().filter((other) => free(other) && !other.hasAttribute("aria-disabled"));
    const mark = button.querySelector(".ghost");
    mark.classList.remove("ghost");
    button.dataset.new = "now";
    others.forEach((other) => other.setAttribute("aria-disabled", "true"));
    stroke(mark);
    return () => {
      mark.classList.add("ghost");
      delete button.dataset.new;
      others.forEach((other) => other.removeAttribute("aria-disabled"));
    };
  }

  /** Say in the line of the turn that the answer takes its time. */
  function showDots() {
    const turn = document.getElementById("turn");
    const text = turn.textContent;
    const dots = Object.assign(document.createElement("span"), { className: "dots" });
    dots.append(...["i", "i", "i"].map((name) => document.createElement(name)));
    turn.replaceChildren(WORDS.moment, dots);
    say(WORDS.waiting);
    return () => turn.replaceChildren(text);
  }

  function begin(context) {
    const button = context.sourceEvent?.submitter;
    const undo = button?.matches?.(".cell") && free(button) ? [draw(button)] : [];
    const timer = setTimeout(() => undo.push(showDots()), PATIENCE);
    waiting = { context, timer, undo };
  }

  /** The request is over: a board that has come with it shows how things stand, else all is as before. */
  function end({ swapped }) {
    clearTimeout(waiting.timer);
    if (!swapped) {
      waiting.undo.forEach((step) => step());
      last = NONE; // nothing new is there to be pressed by accident
    }
    waiting = null;
  }

  // --- telling of a failure ------------------------------------------------------------------------

  let covered = null; // what stood where a failure is told, until the server answers again

  /** Tell of a failed request where the last move is told, and say it. */
  function tell(context, sentence) {
    if (isCall(context) || isAlone(context) || context.sourceElement.id === "come-in") return;
    // A page that asks by itself asks again and again: telling it once is enough.
    const asking = isNews(context);
    if (asking && covered) return;
    const place = document.querySelector(".status p:not(.clock), .lead, .finder p, [data-told]");
    if (!place) return;
    covered ??= { place, nodes: [...place.childNodes], className: place.className };
    place.textContent = asking ? WORDS.lost : sentence;
    place.className = "refusal";
    say(place.textContent);
  }

  function uncover() {
    if (!covered) return;
    covered.place.replaceChildren(...covered.nodes);
    covered.place.className = covered.className;
    covered = null;
  }

  let lookingAgain = null;

  /** Ask for the board, since the move may have arrived though its answer did not. */
  function lookAgain(pause = 1000) {
    clearTimeout(lookingAgain);
    lookingAgain = setTimeout(async () => {
      if (!covered || !game()?.dataset.game || waiting) return;
      await htmx.ajax("GET", window.location.pathname, { source: "#game", target: "#game", swap: "outerMorph" });
      if (covered && !answered) lookAgain(Math.min(2 * pause, 8000));
    }, pause);
  }

  let answered = true; // whether the last request was, by the application itself

  /** Whether a page asks, without being told to, what may call the player to another game. */
  const isCall = (context) => context?.sourceElement.id === "calls";

  const isNews = (context) => context?.sourceEvent?.type === "news";

  /** Whether it looks at what no one else changes: what is told there stays as long as that is the same. */
  const isLook = (context) =>
    context?.request.method === "GET" && context.sourceElement.matches("#game:not([data-here]), #menace");

  /** Whether it does so by itself: such a page can be used without. */
  const isAlone = (context) => isNews(context) && isLook(context);

  // --- around each answer of the server -----------------------------------------------------

  let shown = game()?.dataset.game;
  let version = "";
  let wasOver = false;
  let hadFocus = false;

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    // A game that begins waits for no look at another opponent's board.
    const looks = ctx.request.method !== "GET" && document.querySelector("[hx-trigger='change from:#setup']");
    if (looks) htmx.trigger(looks, "htmx:abort", {}, false); // and not what waits around it
    const tried = ctx.sourceEvent?.submitter?.matches?.(".cell"); // in an exercise, which stores nothing
    if (tried || (ctx.request.method !== "GET" && game())) begin(ctx);
  });

  /** Let news that say nothing else than the page say nothing, and leave there what was refused. */
  function still(tasks) {
    const fresh = tasks[0]?.fragment?.querySelector("[data-says]");
    const old = fresh && document.getElementById(fresh.id);
    if (old?.dataset.says !== fresh?.dataset.says) {
      covered = null;
      return;
    }
    const refused = old?.querySelector("#turn + .refusal");
    if (refused) fresh.querySelector("#turn + p").replaceWith(refused.cloneNode(true));
    for (const mark of fresh?.querySelectorAll("[data-new]") ?? []) {
      if (!document.getElementById(mark.id).dataset.new) delete mark.dataset.new;
    }
    const said = tasks.findIndex(({ target }) => target?.id === "live");
    if (said >= 0) tasks.splice(said, 1);
  }

  document.addEventListener("htmx:before:swap", ({ detail: { ctx, tasks } }) => {
    if (isNews(ctx) || isLook(ctx)) still(tasks);
    version = game()?.dataset.version;
    hadFocus = document.activeElement !== document.body;
    wasOver = Boolean(game()?.dataset.outcome);
  });

  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    if (ctx.swap === "none") return; // an answer without a board
    if (waiting?.context === ctx) end({ swapped: true });
    const board = game();
    setTabStop(current);
    const first = document.querySelector(".first use")?.getAttribute("href"); // the list shows it as well
    for (const sign of first ? document.querySelectorAll(`#opponent [href="${first}"]`) : []) sign.closest(".ring").classList.add("won");
    const another = board && shown && shown !== board.dataset.game;
    shown = board?.dataset.game;
    ask();
    const reply = board?.querySelector('[data-new="then"] svg');
    if (reply && (another || board.dataset.version !== version)) setTimeout(stroke, PAUSE, reply);
    if (board?.dataset.won !== undefined && !wasOver) celebrate();
    // The button that was pressed may be gone, and after "Play again" the board comes next.
    const onward = document.querySelector("[data-onward]") ?? cell(current);
    if (hadFocus && (document.activeElement === document.body || another)) onward?.focus();
  });

  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    const { status } = ctx.response;
    if (isCall(ctx) || (isAlone(ctx) && status !== 200)) return;
    answered = status < 500 && status !== 429;
    if (answered && !isLook(ctx)) uncover();
  });

  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (waiting?.context !== ctx) return;
    end({ swapped: false });
    lookAgain();
  });

  document.addEventListener("htmx:response:error", (event) => {
    const context = event.detail.ctx;
    if (context.response.status >= 500) {
      tell(context, WORDS.failed);
    } else if (context.response.status === 429) {
      tell(context, WORDS.tooMany);
    }
  });

  document.addEventListener("htmx:error", (event) => {
    const context = event.detail.ctx;
    if (!isCall(context) && !isAlone(context)) answered = false;
    if (context) tell(context, WORDS.silent);
  });

  // A page that was loaded before its player joined a tournament, in another tab, does not ask for games:
  // it is loaded again when it is seen, unless anything is being typed.
  const joined = () => {
    try {
      return localStorage.getItem("joined");
    } catch {
      return null;
    }
  };
  const joinedBefore = joined();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || joined() === joinedBefore || document.querySelector("#calls[data-topic], #versus")) return;
    const typed = [...document.querySelectorAll("main :is(input, textarea)")];
    if (!typed.some((field) => field.value !== field.defaultValue)) window.location.reload();
  });

  // A page from the back/forward cache shows an old board.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });

  if (!navigator.cookieEnabled) {
    const told = Object.assign(document.createElement("p"), { className: "refusal", textContent: WORDS.cookies });
    document.getElementById("content").append(told);
  }

  const first = cells().findIndex(free);
  setTabStop(first < 0 || (cell(4) && free(cell(4))) ? 4 : first);

  // The first page is there before anything else is fetched.
  window.addEventListener("load", () => setTimeout(ask, 2000));

  // --- sharing an address ---

  // On plain HTTP browsers have neither: then the field is there to copy from, without a button.
  const sharesBy = navigator.share ? "share" : navigator.clipboard ? "copy" : "";
  document.documentElement.dataset.sharesBy = sharesBy; // the style sheet shows the button for it

  async function share(field, button) {
    try {
      if (sharesBy === "share") return await navigator.share({ url: field.value });
      await navigator.clipboard.writeText(field.value);
    } catch (error) {
      if (error.name === "AbortError") return; // called off by the person who shares
      field.closest("details")?.setAttribute("open", "");
      field.select();
      return;
    }
    const { textContent: text, dataset: { done } } = button;
    if (text === done) return;
    button.textContent = done;
    say(done);
    setTimeout(() => {
      button.textContent = text;
    }, 2000);
  }

  document.addEventListener("click", (event) => {
    const part = event.target.closest(".address textarea, .address button, .share summary");
    const field = part?.closest(".address, .share").querySelector("textarea");
    if (part?.matches("textarea")) {
      field.select();
    } else if (part?.matches("button")) {
      share(field, part);
    } else if (part && sharesBy === "share") {
      event.preventDefault();
      share(field);
    }
  });

  // --- another language --------------------------------------------------------------------------

  // A closed list changes at each arrow key: then the button that is there without scripts takes the choice.
  const language = document.getElementById("language");
  let keyed = 0;
  language?.addEventListener("keydown", ({ timeStamp }) => { keyed = timeStamp; });
  language?.addEventListener("change", ({ timeStamp }) => {
    const button = language.form.querySelector("button");
    if (timeStamp - keyed < 50) button.classList.remove("unscripted");
    else button.click();
  });

  // A page with stream.js needs that as well, which says it then.
  if (!document.querySelector("script[src*='/stream.js']")) document.documentElement.dataset.scripts = htmx.version; // see base.html

  // --- a ticket's code, which stands after the # of its address: no server or log sees it there ---

  const code = document.querySelector("#ticket input[name=code]");
  if (code && location.hash.length > 1) {
    code.value = location.hash.slice(1);
    history.replaceState(history.state, "", location.pathname);
    code.form.requestSubmit();
  }
})();
