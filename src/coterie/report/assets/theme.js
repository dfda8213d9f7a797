// Light or dark: as the system has it, until the reader chooses.
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const themeButton = byId("theme");
root.classList.add("js");

function remembered() {
  try { return localStorage.getItem("coterie-theme"); } catch { return null; }
}

function isDark() {
  return (root.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
}

function announceTheme() {
  themeButton.textContent = isDark() ? "Light" : "Dark";
  document.dispatchEvent(new CustomEvent("theme"));
}

if (["light", "dark"].includes(remembered())) root.dataset.theme = remembered();
themeButton.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  try { localStorage.setItem("coterie-theme", root.dataset.theme); } catch { /* only for this visit */ }
  announceTheme();
});
system.addEventListener("change", announceTheme);
announceTheme();
