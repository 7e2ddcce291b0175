"use strict";
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const controlled = (control) => document.getElementById(control.getAttribute("aria-controls"));

  function show(control, open) {
    control.setAttribute("aria-expanded", String(open));
    controlled(control).hidden = !open;
  }

  function toggle(control) {
    const open = control.getAttribute("aria-expanded") !== "true";
    if (open && control.matches(".literal")) {
      all(".literal[aria-expanded='true']", control.parentElement).forEach((other) => show(other, false));
    }
    show(control, open);
    if (control.matches(".more")) control.firstChild.data = open ? "less" : "more";
  }

  const field = () => document.getElementById("journal-search");

  function filter() {
    const words = field().value.toLowerCase().split(/\s+/).filter(Boolean);
    const groups = all("#journal-table tbody");
    let shown = 0;
    for (const group of groups) {
      const text = group.textContent.toLowerCase();
      group.hidden = !words.every((word) => text.includes(word));
      shown += group.hidden ? 0 : 1;
    }
    const total = groups.length === 1 ? "1 question" : `${groups.length} questions`;
    document.getElementById("journal-count").textContent = words.length ? `${shown} of ${total}` : total;
  }

  document.addEventListener("input", (event) => {
    if (event.target === field()) filter();
  });

  document.addEventListener("click", (event) => {
    const control = event.target.closest(".literal, .more");
    if (control) {
      event.preventDefault();
      toggle(control);
      return;
    }
    const link = event.target.closest("a[href^='#q']");
    const row = link && document.getElementById(link.getAttribute("href").slice(1));
    if (row && row.hidden) {
      field().value = "";
      filter();
    }
  });

  document.addEventListener("keydown", (event) => {
    const control = event.target.closest && event.target.closest(".literal");
    if (control && event.key === " ") {
      event.preventDefault();
      toggle(control);
    }
    if (event.key === "Escape") {
      const panel = event.target.closest && event.target.closest(".evidence");
      const opener = control || (panel && document.querySelector(`.literal[aria-controls='${panel.id}']`));
      if (opener && opener.getAttribute("aria-expanded") === "true") {
        show(opener, false);
        opener.focus();
      }
    }
  });
})();
