// One group is chosen at a time, in the network, the table and the panels alike.
const pickers = [...document.querySelectorAll("[data-group]")];
const panels = [...document.querySelectorAll("[data-panel]")];
const networkBox = document.querySelector(".network");

function choose(group) {
  for (const picker of pickers) {
    const chosen = Number(picker.dataset.group) === group;
    picker.setAttribute("aria-pressed", chosen);
    picker.closest("tr")?.classList.toggle("chosen", chosen);
  }
  for (const panel of panels) panel.classList.toggle("chosen", Number(panel.dataset.panel) === group);
  document.dispatchEvent(new CustomEvent("group", { detail: group }));
}

function light(group) {
  networkBox?.classList.toggle("dim", group !== null);
  for (const dot of document.querySelectorAll(".dot")) {
    dot.classList.toggle("lit", group !== null && dot.dataset.groups.split(" ").includes(group));
  }
}

for (const picker of pickers) {
  picker.addEventListener("click", () => choose(Number(picker.dataset.group)));
  picker.addEventListener("pointerenter", () => light(picker.dataset.group));
  picker.addEventListener("pointerleave", () => light(null));
  picker.addEventListener("keydown", (event) => {
    if (picker.tagName === "BUTTON" || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    choose(Number(picker.dataset.group));
  });
}
