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

const dots = [...document.querySelectorAll(".dot")];
const groupsOf = (dot) => dot.dataset.groups.split(" ").map(Number);

// Features that are in none of the groups step back; no groups, and all are alike again.
function light(groups) {
  networkBox?.classList.toggle("dim", groups.length > 0);
  for (const dot of dots) {
    dot.classList.toggle("lit", groupsOf(dot).some((group) => groups.includes(group)));
  }
}

for (const picker of pickers) {
  picker.addEventListener("click", () => choose(Number(picker.dataset.group)));
  picker.addEventListener("pointerenter", () => light([Number(picker.dataset.group)]));
  picker.addEventListener("pointerleave", () => light([]));
  picker.addEventListener("keydown", (event) => {
    if (picker.tagName === "BUTTON" || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    choose(Number(picker.dataset.group));
  });
}

// A feature chooses its group; one of several groups goes from one to the next.
for (const dot of dots) {
  const groups = groupsOf(dot);
  dot.addEventListener("pointerenter", () => light(groups));
  dot.addEventListener("pointerleave", () => light([]));
  dot.addEventListener("click", () => {
    const current = panels.findIndex((panel) => panel.classList.contains("chosen"));
    choose(groups[(groups.indexOf(current) + 1) % groups.length]);
  });
}
