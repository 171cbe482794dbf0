// The theme toggle. A classic script in the head, so that the chosen theme stands before the
// first paint; without it the page follows the system.
"use strict";
(function () {
  var KEY = "paceboard-theme";
  var ORDER = ["auto", "light", "dark"];
  var root = document.documentElement;

  function stored() {
    // Storage may be refused, and from disk it may be missing.
    try {
      var theme = window.localStorage.getItem(KEY);
      return ORDER.indexOf(theme) > 0 ? theme : "auto";
    } catch (refused) {
      return "auto";
    }
  }

  function apply(theme) {
    if (theme === "auto") root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", theme);
  }

  var theme = stored();
  apply(theme);

  document.addEventListener("DOMContentLoaded", function () {
    var button = document.querySelector("button.theme");
    if (!button) return;
    function label() {
      button.textContent = "Theme: " + theme;
    }
    label();
    button.hidden = false;
    button.addEventListener("click", function () {
      theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
      apply(theme);
      label();
      try {
        if (theme === "auto") window.localStorage.removeItem(KEY);
        else window.localStorage.setItem(KEY, theme);
      } catch (refused) {
        // The choice then lasts as long as the page.
      }
    });
  });
})();
