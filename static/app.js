// What HTML and htmx cannot do: moving over the board by keys, and a few words when the
// network fails. Everything else works without this file.
(() => {
  "use strict";

  // Now, not in a later task when the page may be shown already: a click or a key before it
  // would load a whole page.
  htmx.initialize();

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  let current = 4; // the cell that Tab reaches; the board is one tab stop

  const cell = (number) => document.getElementById(`c${number}`);
  const cells = () => [...document.querySelectorAll("button.cell")];

  /** Make one cell of the board the tab stop. */
  function setTabStop(number) {
    current = number;
    cells().forEach((button, index) => {
      button.tabIndex = index === number ? 0 : -1;
    });
  }

  function say(sentence) {
    const live = document.getElementById("live");
    if (live) live.textContent = sentence;
  }

  let covered = null; // what stood where a failure is told, until the server answers again

  /** Tell of a failed request where the last move is told, and say it. */
  function tell(context, sentence) {
    // A watcher's page asks by itself, again and again: telling it once is enough.
    const watching = context.sourceElement.id === "game";
    if (watching && covered) return;
    const place = document.querySelector(".status p, .lead");
    if (!place) return;
    covered ??= { place, text: place.textContent, className: place.className };
    place.textContent = watching ? "Connection lost, trying again." : sentence;
    place.className = "refusal";
    say(place.textContent);
  }

  function uncover() {
    if (!covered) return;
    covered.place.textContent = covered.text;
    covered.place.className = covered.className;
    covered = null;
  }

  document.addEventListener("keydown", (event) => {
    const button = event.target.closest?.("button.cell");
    if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = cells().indexOf(button);
    let next = null;
    if (event.key in ARROWS) {
      const [right, down] = ARROWS[event.key];
      const column = Math.min(2, Math.max(0, (at % 3) + right));
      const row = Math.min(2, Math.max(0, Math.floor(at / 3) + down));
      next = 3 * row + column;
    } else if (/^[1-9]$/.test(event.key)) {
      next = Number(event.key) - 1;
    } else {
      return;
    }
    event.preventDefault();
    cell(next).focus();
    if (!(event.key in ARROWS) && !event.repeat) cell(next).click();
  });

  // The second click of a double click must not press what the answer to the first put there, nor
  // leave the game that the first has just started.
  let pressed = null;
  document.addEventListener(
    "click",
    (event) => {
      const button = event.target.closest("button");
      if (event.detail > 1 && (button !== pressed || button?.id === "again")) {
        event.preventDefault();
        event.stopPropagation();
      } else {
        pressed = button;
      }
    },
    true,
  );

  document.addEventListener("focusin", (event) => {
    const button = event.target.closest?.("button.cell");
    if (button) setTabStop(cells().indexOf(button));
  });

  // A change of the controls in mid-game is for the next game; on the empty board htmx asks for another one.
  document.addEventListener("change", (event) => {
    if (event.target.closest("#setup") && document.querySelector("#game[data-going]")) {
      say("That applies to the next game.");
    }
  });

  // --- around each answer of the server -----------------------------------------------------

  let shown = document.getElementById("game")?.dataset.game;
  let hadFocus = false;

  document.addEventListener("htmx:before:swap", () => {
    hadFocus = document.activeElement !== document.body;
  });

  document.addEventListener("htmx:after:swap", () => {
    const game = document.getElementById("game");
    setTabStop(current);
    const another = game && shown && shown !== game.dataset.game;
    shown = game?.dataset.game;
    // The button that was pressed may be gone, and after "Play again" the board comes next.
    if (hadFocus && (document.activeElement === document.body || another)) cell(current)?.focus();
  });

  // A watcher's page asks again and again, but not in a hidden tab.
  document.addEventListener("htmx:before:request", (event) => {
    if (document.hidden && event.detail.ctx.request.method === "GET") event.preventDefault();
  });

  document.addEventListener("htmx:after:request", (event) => {
    const status = event.detail.ctx.response.status;
    if (status < 500 && status !== 429) uncover();
  });

  document.addEventListener("htmx:response:error", (event) => {
    const context = event.detail.ctx;
    if (context.response.status >= 500) {
      tell(context, "Something went wrong on the server. Try again.");
    } else if (context.response.status === 429) {
      tell(context, "You sent too many requests. Try again in a few seconds.");
    }
  });

  document.addEventListener("htmx:error", (event) => {
    if (event.detail.ctx) tell(event.detail.ctx, "No answer from the server. Try again.");
  });

  // A page from the back/forward cache shows an old board.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });

  setTabStop(current);

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
    const part = event.target.closest(".address input, .address button, .share summary");
    const field = part?.closest(".address, .share").querySelector("input");
    if (part?.matches("input")) {
      field.select();
    } else if (part?.matches("button")) {
      share(field, part);
    } else if (part && sharesBy === "share") {
      event.preventDefault();
      share(field);
    }
  });
})();
