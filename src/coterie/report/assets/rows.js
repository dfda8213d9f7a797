// What each group adds to the prediction of the chosen row: a bar starts where the last one ended.
const rowBox = byId("waterfall");

function extent(table, output) {
  let [low, high] = [0, 0];
  const start = table.base[output];
  for (const groups of table.contributions) {
    let level = start;
    for (const outputs of groups) {
      level += outputs[output];
      low = Math.min(low, level);
      high = Math.max(high, level);
    }
  }
  return [Math.min(low, start), Math.max(high, start)];
}

function bar(from, to, [low, high], kind) {
  const x = (value) => ((value - low) / (high - low || 1)) * 100;
  const [left, right] = [Math.min(x(from), x(to)), Math.max(x(from), x(to))];
  return svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": true },
    svg("line", { class: "thread", x1: x(0), x2: x(0), y1: 0, y2: 10, "vector-effect": "non-scaling-stroke" }),
    svg("rect", { class: kind, x: left, y: 2, width: Math.max(0.5, right - left), height: 6 }));
}

function line(what, from, to, range, kind, amount, total = false) {
  return html("div", { class: total ? "line total" : "line" },
    html("div", { class: "what" }, ...what),
    bar(from, to, range, kind),
    html("div", { class: "amount" }, amount));
}

function groupLabel(group, members, row) {
  const values = members.names.flatMap((name, place) => [
    place ? ", " : "", html("bdi", {}, name), " = ", html("bdi", {}, members.rows[row][place])]);
  const heading = document.querySelector(`[data-panel="${group}"] h3`);
  const parts = [...heading.childNodes].map((node) => node.cloneNode(true));
  return [html("span", {}, ...parts), html("small", {}, ...values)];
}

function showRow(table, row, output) {
  const range = extent(table, output);
  let level = table.base[output];
  const lines = [line(["Base value"], 0, level, range, "level", written(level))];
  table.contributions[row].forEach((outputs, group) => {
    const added = outputs[output];
    const sign = added > 0 ? "+" : "";
    lines.push(line(groupLabel(group, table.members[group], row), level, level + added, range,
      added < 0 ? "down" : "up", sign + written(added)));
    level += added;
  });
  lines.push(line([`Sum: ${table.scale}`], 0, level, range, "level", written(level), true));
  const verdict = html("p", { class: "verdict" }, "Predicted: ", html("strong", {}, html("bdi", {}, table.predicted[row])));
  if (table.observed) verdict.append(". Observed: ", html("strong", {}, html("bdi", {}, table.observed[row])));
  rowBox.replaceChildren(html("div", { class: "fall" }, ...lines), verdict);
  rowBox.dataset.sum = level;
}

function startRows(table) {
  const [select, outputs] = [byId("row"), byId("row-output")];
  select.append(...table.labels.map((text, row) => html("option", { value: row }, text)));
  outputs.append(...table.outputs.map((text, place) => html("option", { value: place }, text)));
  byId("row-outputs").hidden = table.outputs.length === 0;
  const show = () => {
    const row = Number(select.value);
    byId("row-before").disabled = row === 0;
    byId("row-after").disabled = row === table.labels.length - 1;
    showRow(table, row, Number(outputs.value || 0));
  };
  const move = (by) => {
    select.value = Number(select.value) + by;
    show();
  };
  select.addEventListener("change", show);
  outputs.addEventListener("change", show);
  byId("row-before").addEventListener("click", () => move(-1));
  byId("row-after").addEventListener("click", () => move(1));
  select.value = table.first;
  show();
}

if (rowBox && data.rows) startRows(data.rows);
