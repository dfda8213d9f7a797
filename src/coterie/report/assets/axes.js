// Axes of a picture: where values stand, and what is written at them.
function ticks(low, high, most) {
  const span = high - low || 1;
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + span * 1e-9; k += 1) found.push(k * step);
  return found;
}

// A scale of bands for labels, of lengths for numbers; ``step`` is the nearest step of a place.
function scaleOf(axis, start, end) {
  const n = axis.positions.length;
  if (axis.labels) {
    const band = (end - start) / n;
    return {
      of: (step) => start + (step + 0.5) * band,
      step: (place) => Math.max(0, Math.min(n - 1, Math.floor((place - start) / band))),
      marks: axis.labels.map((label, step) => [start + (step + 0.5) * band, label]),
      room: Math.abs(band),
    };
  }
  const [low, high] = [axis.positions[0], axis.positions[n - 1]];
  const place = (value) => start + ((value - low) / (high - low || 1)) * (end - start);
  const marks = ticks(low, high, Math.abs(end - start) / 48).map((value) => [place(value), written(value)]);
  return {
    of: (step) => place(axis.positions[step]),
    step: (at) => Math.max(0, Math.min(n - 1, Math.round(((at - start) / (end - start)) * (n - 1)))),
    marks,
    room: 48,
  };
}

function cut(text, room) {
  const most = Math.max(3, Math.floor(room / 7));
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

function label(text, room, attributes) {
  return svg("text", attributes, svg("title", {}, text), cut(text, room));
}

function acrossAxis(frame, axis, scale) {
  const marks = scale.marks.map(([x, text]) =>
    label(text, scale.room, { x, y: frame.bottom + 18, "text-anchor": "middle" }));
  const title = label(axis.name, frame.right - frame.left,
    { x: (frame.left + frame.right) / 2, y: frame.bottom + 40, "text-anchor": "middle", class: "title" });
  return svg("g", {}, ...marks, title,
    svg("path", { class: "axis", d: `M${frame.left} ${frame.bottom}H${frame.right}` }));
}

function upAxis(frame, name, scale) {
  const marks = scale.marks.map(([y, text]) =>
    label(text, frame.left - 26, { x: frame.left - 8, y: y + 4, "text-anchor": "end" }));
  const middle = (frame.top + frame.bottom) / 2;
  const title = label(name, frame.bottom - frame.top,
    { x: 12, y: middle, transform: `rotate(-90 12 ${middle})`, "text-anchor": "middle", class: "title" });
  return svg("g", {}, ...marks, title);
}

function stepLabel(axis, step) {
  return axis.labels ? axis.labels[step] : written(axis.positions[step]);
}
