(() => {
  "use strict";
  const root = document.documentElement;

  // Light or dark: what the system says until the button is pressed; nothing is stored.
  const system = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const paint = () => {
    button.textContent = isDark() ? "Light page" : "Dark page";
    for (const source of document.querySelectorAll("source.dark-figure")) {
      source.media = root.dataset.theme ? (isDark() ? "screen" : "not all") : "screen and (prefers-color-scheme: dark)";
    }
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    paint();
  });
  system.addEventListener("change", paint);
  paint();

  // Paper shows what is folded away, and folds it again afterwards.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details.more:not([open])")];
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });

  // On a small screen figures keep a width at which they can be read, and are moved sideways: with keys, too.
  const narrow = matchMedia("(max-width: 40rem)");
  const reach = () => {
    for (const one of document.querySelectorAll("figure picture")) {
      if (narrow.matches) one.tabIndex = 0;
      else one.removeAttribute("tabindex");
    }
  };
  narrow.addEventListener("change", reach);
  reach();

  // Commands can be copied with one press.
  for (const box of document.querySelectorAll(".again")) {
    const text = box.querySelector("code").textContent;
    const copy = document.createElement("button");
    copy.type = "button";
    copy.textContent = "Copy";
    copy.setAttribute("aria-label", "Copy the command");
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
      } catch {
        const range = document.createRange();
        range.selectNodeContents(box.querySelector("code"));
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        copy.textContent = "Selected";
      }
    });
    box.append(copy);
  }

  // The JSON of a result, with the parts in it that several results have in common: shown, never run or read as
  // markup. References are replaced in the text, since numbers that are read and written again may lose digits; within
  // a text of JSON quotes are escaped, so that no name looks like one.
  const parts = [...document.querySelectorAll("script.weightlab-part")].map((one) => one.textContent);
  const { mark } = JSON.parse(document.querySelector("script.weightlab-document").textContent).parts;
  const whole = (text) =>
    parts.length ? text.replace(new RegExp(`\\{"${mark.replaceAll("$", "\\$")}":([0-9]+)\\}`, "g"), (_, at) => parts[at]) : text;
  for (const show of document.querySelectorAll(".show-json")) {
    show.hidden = false;
    show.setAttribute("aria-expanded", "false");
    show.addEventListener("click", () => {
      const shown = show.nextElementSibling;
      if (shown) {
        shown.remove();
        show.textContent = "Show its JSON";
        show.setAttribute("aria-expanded", "false");
        return;
      }
      const box = document.createElement("pre");
      box.className = "json";
      box.tabIndex = 0;
      box.textContent = whole(document.getElementById(show.dataset.of).textContent);
      show.after(box);
      show.textContent = "Hide its JSON";
      show.setAttribute("aria-expanded", "true");
    });
  }
})();
