"use strict";
const body = document.querySelector("#jobs tbody");
const rows = Array.from(body.rows);
const find = document.getElementById("find");
const shown = document.getElementById("shown");
const heads = Array.from(document.querySelectorAll("#jobs th"));
const texts = rows.map((row) => row.textContent.toLowerCase());

function search() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let n = 0;
  rows.forEach((row, i) => {
    row.hidden = !words.every((word) => texts[i].includes(word));
    if (!row.hidden) n++;
  });
  shown.textContent = n + " / " + rows.length;
}

function sort(column, down) {
  const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const sorted = rows.map((row, i) => [key(row), i, row]);
  sorted.sort((a, b) => (down ? -1 : 1) * order.compare(a[0], b[0]) || a[1] - b[1]);
  body.append(...sorted.map((entry) => entry[2]));
  heads.forEach((head, i) => {
    if (i === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
}

find.addEventListener("input", search);
heads.forEach((head, i) => {
  head.firstElementChild.addEventListener("click", () => sort(i, head.getAttribute("aria-sort") === "ascending"));
});
document.querySelectorAll("button[data-find]").forEach((button) => {
  button.addEventListener("click", () => {
    find.value = button.dataset.find;
    search();
    find.scrollIntoView();
  });
});

// A link may carry a search and an order: #find=words&sort=column&down
const wish = new URLSearchParams(location.hash.slice(1));
if (wish.has("find")) find.value = wish.get("find");
if (wish.has("sort")) sort(Math.min(Math.max(Number(wish.get("sort")) || 0, 0), heads.length - 1), wish.has("down"));
search();
