(() => {
  "use strict";
  const root = document.documentElement;

  // Light or dark: what the system says until the button is pressed; nothing is stored. A picture asks the system, too:
  // once the button was pressed, its question is answered for it.
  const system = matchMedia("(prefers-color-scheme: dark)");
  const button = document.getElementById("theme");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const asks = "(prefers-color-scheme:dark)";
  const pictures = [...document.querySelectorAll("picture img")].map((image) => [image, image.getAttribute("src")]);
  const paint = () => {
    button.textContent = isDark() ? "Light page" : "Dark page";
    if (!root.dataset.theme) return;
    for (const [image, source] of pictures) image.src = source.replace(asks, isDark() ? "(min-width:0)" : "(max-width:0)");
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    paint();
  });
  system.addEventListener("change", paint);
  paint();

  // All that is folded away opens at once, or folds again. Paper shows what is open.
  const folds = [...document.querySelectorAll("details.part, details.more")];
  const all = document.getElementById("unfold");
  all.hidden = !folds.length;
  all.addEventListener("click", () => {
    const open = !folds.every((one) => one.open);
    for (const one of folds) one.open = open;
    all.textContent = open ? "Fold all parts" : "Open all parts";
  });

  // Paper shows tables with many columns in parts that fit on it, each with its rows named.
  const LEAF = 16; // columns beside the names of rows
  const leaf = (table, first, last, title) => {
    const part = table.cloneNode(true);
    part.removeAttribute("id");
    part.caption.removeAttribute("id");
    part.caption.firstElementChild.append(`, ${title}`);
    for (const row of part.rows) {
      const cells = [...row.cells];
      cells.forEach((cell, at) => at && (at < first || at >= last) && cell.remove());
    }
    const box = document.createElement("div");
    box.className = "leaf";
    box.append(part);
    return box;
  };
  let leaves = [];
  const toPaper = () => {
    if (leaves.length) return;
    for (const table of document.querySelectorAll(".scroll > table.broken")) {
      const count = table.rows[0].cells.length - 1;
      const parts = Math.ceil(count / LEAF);
      const bound = (place) => 1 + Math.floor((place * count) / parts);
      for (let place = 0; place < parts; place += 1) {
        leaves.push(leaf(table, bound(place), bound(place + 1), `part ${place + 1} of ${parts}`));
        table.parentNode.before(leaves[leaves.length - 1]);
      }
      table.parentNode.classList.add("screen");
    }
  };
  const fromPaper = () => {
    for (const one of leaves) one.remove();
    leaves = [];
    for (const table of document.querySelectorAll("table.broken")) table.parentNode.classList.remove("screen");
  };
  addEventListener("beforeprint", toPaper);
  addEventListener("afterprint", fromPaper);
  matchMedia("print").addEventListener("change", (paper) => (paper.matches ? toPaper() : fromPaper()));

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

  // A table with columns out of sight says so.
  const watched = new ResizeObserver((seen) => seen.forEach((one) => cue(one.target)));
  const cue = (box) => box.classList.toggle("over", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
  for (const box of document.querySelectorAll(".scroll")) {
    watched.observe(box);
    box.addEventListener("scroll", () => cue(box), { passive: true });
  }

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

  // The lines of JSON that this page holds: how many parts are common to results, these parts, the results, what was
  // asked, and what the explorer needs.
  const pack = atob(JSON.parse(document.getElementById("weightlab-document").textContent));
  const lines = inflate(Uint8Array.from(pack, (letter) => letter.charCodeAt(0))).split("\n");
  const explorer = document.getElementById("weightlab-explorer-data");
  if (explorer) explorer.textContent = lines[lines.length - 1];

  // The JSON of a result is shown, never run or read as markup. References to parts are replaced in the text, since
  // numbers that are read and written again may lose digits; within a text of JSON quotes are escaped, so that no name
  // looks like one.
  const { count, mark } = JSON.parse(lines[0]).parts;
  const reference = new RegExp(`\\{"${mark.replace(/\$/g, "\\$")}":([0-9]+)\\}`, "g");
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
      box.textContent = lines[1 + count + Number(show.dataset.place)].replace(reference, (_, at) => lines[1 + Number(at)]);
      show.after(box);
      show.textContent = "Hide its JSON";
      show.setAttribute("aria-expanded", "true");
    });
  }
  // A link opens the part that it leads to, or into.
  const unfold = () => {
    const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    if (!target) return;
    let folded = target.querySelector(":scope > details.part") || target.closest("details");
    for (; folded; folded = folded.parentElement.closest("details")) folded.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", unfold);
  unfold();

  // Deflated bytes as text (RFC 1950, 1951), for browsers that do not inflate by themselves.
  function inflate(bytes) {
    let at = 2; // behind the header
    let [held, ready] = [0, 0];
    const bits = (wanted) => {
      while (ready < wanted) {
        held |= bytes[at++] << ready;
        ready += 8;
      }
      const found = held & ((1 << wanted) - 1);
      held >>>= wanted;
      ready -= wanted;
      return found;
    };
    // A Huffman code as how many words have each length, and the symbols by length.
    const code = (lengths) => {
      const counts = new Array(16).fill(0);
      for (const one of lengths) counts[one] += 1;
      counts[0] = 0;
      const symbols = [...lengths.keys()].filter((one) => lengths[one]).sort((a, b) => lengths[a] - lengths[b] || a - b);
      return { counts, symbols };
    };
    const symbol = ({ counts, symbols }) => {
      let [word, first, place] = [0, 0, 0];
      for (let length = 1; length < 16; length += 1) {
        word |= bits(1);
        if (word - first < counts[length]) return symbols[place + word - first];
        place += counts[length];
        first = (first + counts[length]) << 1;
        word <<= 1;
      }
      throw new Error("no word of the code");
    };
    const fixed = () => {
      const lengths = Array.from({ length: 288 }, (_, one) => (one < 144 ? 8 : one < 256 ? 9 : one < 280 ? 7 : 8));
      return [code(lengths), code(new Array(30).fill(5))];
    };
    const dynamic = () => {
      const [literals, distances, words] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
      const own = new Array(19).fill(0);
      for (const one of [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].slice(0, words)) own[one] = bits(3);
      const lengthsBy = code(own);
      const lengths = [];
      while (lengths.length < literals + distances) {
        const one = symbol(lengthsBy);
        const last = lengths[lengths.length - 1];
        if (one < 16) lengths.push(one);
        else if (one === 16) lengths.push(...new Array(3 + bits(2)).fill(last));
        else lengths.push(...new Array(one === 17 ? 3 + bits(3) : 11 + bits(7)).fill(0));
      }
      return [code(lengths.slice(0, literals)), code(lengths.slice(literals))];
    };
    let [out, size] = [new Uint8Array(bytes.length * 8), 0];
    const put = (one) => {
      if (size === out.length) {
        const larger = new Uint8Array(size * 2);
        larger.set(out);
        out = larger;
      }
      out[size++] = one;
    };
    for (let last = 0; !last; ) {
      last = bits(1);
      const type = bits(2);
      if (!type) {
        [held, ready] = [0, 0];
        const length = bytes[at] | (bytes[at + 1] << 8);
        at += 4;
        for (const stop = at + length; at < stop; ) put(bytes[at++]);
        continue;
      }
      const [literals, distances] = type === 1 ? fixed() : dynamic();
      for (let one = symbol(literals); one !== 256; one = symbol(literals)) {
        if (one < 256) {
          put(one);
          continue;
        }
        const step = one - 257;
        const more = step < 8 || step === 28 ? 0 : (step >> 2) - 1;
        const length = step === 28 ? 258 : step < 8 ? step + 3 : ((4 + (step & 3)) << more) + 3 + bits(more);
        const away = symbol(distances);
        const far = away < 4 ? 0 : (away >> 1) - 1;
        const back = away < 4 ? away + 1 : ((2 + (away & 1)) << far) + 1 + bits(far);
        for (let left = length; left; left -= 1) put(out[size - back]);
      }
    }
    return new TextDecoder().decode(out.subarray(0, size));
  }
})();
