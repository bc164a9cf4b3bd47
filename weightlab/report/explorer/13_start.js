// In a report: the explorer of the data that stand in the page.

const KNOWN_FORMAT = 2;
const CHECKED = { answer, wayToWin, nearestTwice, readLink, readTable, readNumber, exactText, rounded, shortText, toFloat };

function start() {
  window.weightlabExplorer = Object.freeze(CHECKED);
  const root = document.getElementById("weightlab-explorer");
  const data = document.getElementById("weightlab-explorer-data");
  if (!root || !data) return;
  const payload = JSON.parse(data.textContent);
  if (payload.format !== KNOWN_FORMAT) throw new Error(`this page reads payloads of format ${KNOWN_FORMAT} only`);
  root.querySelector('[data-part="body"]').hidden = false;
  new Explorer(root, readTable(payload));
}

start();
