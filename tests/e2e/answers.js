// Puts a fetch in the place of the page's that refuses, loses or keeps the next answer from an address.
([part, kind, status]) => {
  const real = window.fetch;
  const next = { met: false, done: false };
  next.released = new Promise((resolve) => { next.release = resolve; });

  // As the server sends it: htmx would put it in the place of the whole page.
  const headers = { "HX-Retarget": "body", "HX-Reswap": "innerHTML", "Retry-After": "9" };
  const kinds = {
    refused: async () => new Response("<h1>Not now</h1>", { status, headers }),
    lost: async (...request) => {
      await real(...request);
      throw new TypeError("Failed to fetch");
    },
    late: async (address, options) => {
      const givenUp = new Promise((resolve) => options.signal.addEventListener("abort", resolve));
      await Promise.race([next.released, givenUp]);
      return real(address, options);
    },
  };

  window.fetch = (...request) => {
    const isMeant = (request[1]?.method === "POST") === part.startsWith("/");
    if (!isMeant || !request[0].includes(part)) return real(...request);
    window.fetch = real;
    next.met = true;
    return kinds[kind](...request).finally(() => { next.done = true; });
  };
  return next;
}
