// The picture in the panel of the chosen group, with a cross that mouse and arrow keys move.
const PRINTED = 620;
const chosen = { group: 0, output: {}, slice: {} };

function choices(title, labels, current, pick) {
  const buttons = labels.map((text, place) => {
    const button = html("button", { type: "button", "aria-pressed": String(place === current) }, nameOf(text));
    button.addEventListener("click", () => pick(place));
    return button;
  });
  return html("div", { class: "choices", role: "group" }, title, ...buttons);
}

function read(box, effect, drawn, steps) {
  drawn.mark(steps);
  const parts = steps.flatMap((step, place) => [
    place ? ", " : "", nameOf(effect.axes[place].name), ` ${stepLabel(effect.axes[place], step)}`]);
  const readout = box.parentElement.querySelector(".readout");
  readout.replaceChildren(...parts, ": ", html("strong", {}, written(drawn.value(steps))));
}

function listen(box, effect, drawn) {
  const { picture } = drawn;
  let steps = effect.axes.slice(0, 2).map((axis) => Math.floor(axis.positions.length / 2));
  const to = (next) => { steps = next; read(box, effect, drawn, steps); };
  picture.addEventListener("pointermove", (event) => {
    const place = picture.getBoundingClientRect();
    const ratio = picture.viewBox.baseVal.width / place.width;
    to(drawn.at((event.clientX - place.left) * ratio, (event.clientY - place.top) * ratio));
  });
  picture.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    to(steps.map((step, k) =>
      Math.max(0, Math.min(effect.axes[k].positions.length - 1, step + move[k]))));
  });
}

function redraw(group, focus = null) {
  const box = document.querySelector(`[data-plot="${group}"]`);
  const effect = data.effects[group];
  if (!box || !effect) return;
  const output = chosen.output[group] ?? effect.widest;
  const third = effect.axes[2];
  const slice = chosen.slice[group] ?? (third ? Math.floor(third.positions.length / 2) : 0);
  const draw = effect.axes.length === 1 ? drawCurve : drawSurface;
  const drawn = draw(box.clientWidth || PRINTED, effect, output, slice, group);
  fill(drawn.picture, {
    tabindex: 0, role: "img",
    "aria-label": `Effect of group ${group + 1}: ${effect.scale}. The arrow keys read values.`,
  }, []);
  const parts = [];
  if (effect.outputs.length > 1) {
    parts.push(choices("Class", effect.outputs, output, (place) => {
      chosen.output[group] = place;
      redraw(group, [0, place]);
    }));
  }
  if (third) {
    const labels = third.positions.map((_, step) => stepLabel(third, step));
    parts.push(choices(html("span", {}, nameOf(third.name), " ="), labels, slice, (place) => {
      chosen.slice[group] = place;
      redraw(group, [parts.length - 1, place]);
    }));
  }
  box.replaceChildren(...parts, drawn.picture);
  listen(box, effect, drawn);
  if (focus) box.querySelectorAll(".choices")[focus[0]].querySelectorAll("button")[focus[1]].focus();
}

const redrawAll = () => data.effects.forEach((_, group) => redraw(group));
document.addEventListener("group", (event) => {
  chosen.group = event.detail;
  redraw(chosen.group);
});
document.addEventListener("theme", () => redraw(chosen.group));
addEventListener("resize", () => redraw(chosen.group));
addEventListener("beforeprint", redrawAll);
if (panels.length) choose(0);
