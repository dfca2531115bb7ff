// Airflow keeps the chosen colour mode of its UI in localStorage under "theme": light, dark or system.
// A classic script in the head: it runs before the first paint, so nothing flashes.
(function () {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  function apply() {
    let chosen = null;
    try {
      chosen = window.localStorage.getItem("theme");
    } catch (_) {
      // Storage is blocked: the system's mode holds.
    }
    const dark = chosen === "dark" || (chosen !== "light" && system.matches);
    const mode = dark ? "dark" : "light";
    if (document.documentElement.dataset.theme !== mode) {
      document.documentElement.dataset.theme = mode;
      window.dispatchEvent(new Event("profiles:theme"));
    }
  }
  apply();
  system.addEventListener("change", apply);
  // Fires in this frame when the UI around it switches.
  window.addEventListener("storage", function (event) {
    if (event.key === "theme" || event.key === null) apply();
  });
})();
