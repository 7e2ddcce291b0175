"use strict";
(() => {
  // a link to a question opens it, on a click and when the page is opened at one
  const open = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.matches("details.entry")) {
      target.open = true;
      target.scrollIntoView();
    }
  };
  window.addEventListener("hashchange", open);
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a.question");
    const target = link && document.getElementById(link.getAttribute("href").slice(1));
    if (target) target.open = true;
  });
  open();
})();
