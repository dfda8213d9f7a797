// The effect of one feature, as a curve; of one that has few values, as steps.
function drawCurve(width, effect, output) {
  const [axis] = effect.axes;
  const n = effect.outputs.length;
  const values = axis.positions.map((_, step) => effect.values[step * n + output]);
  const frame = { left: 62, right: width - 14, top: 12, bottom: 268 };
  const inside = effect.zero === null ? values : [...values, effect.zero];
  let [low, high] = [Math.min(...inside), Math.max(...inside)];
  if (effect.zero === null && low >= 0 && high <= 1) [low, high] = [0, 1];
  const pad = (high - low || 1) * 0.05;
  const across = scaleOf(axis, frame.left + 6, frame.right - 6);
  const up = scaleOf({ positions: [low - pad, high + pad], labels: null }, frame.bottom, frame.top);
  const y = (value) => frame.bottom + ((value - low + pad) / (high - low + 2 * pad)) * (frame.top - frame.bottom);
  const points = values.map((value, step) => [across.of(step), y(value)]);
  const picture = svg("svg", { viewBox: `0 0 ${width} 320`, height: 320 },
    acrossAxis(frame, axis, across), upAxis(frame, "effect", up));
  if (effect.zero !== null) {
    picture.append(svg("path", { class: "axis zero", d: `M${frame.left} ${y(effect.zero)}H${frame.right}` }));
  }
  if (axis.labels) {
    const from = y(effect.zero ?? low);
    picture.append(...points.map(([x, top]) => svg("path", { class: "curve", d: `M${x} ${from}V${top}` })));
    picture.append(...points.map(([cx, cy]) => svg("circle", { class: "step", cx, cy, r: 6 })));
  } else {
    picture.append(svg("path", { class: "curve", d: `M${points.map((p) => p.join(" ")).join("L")}` }));
  }
  const dot = svg("circle", { class: "cross-dot", r: 5.5, visibility: "hidden" });
  picture.append(dot);
  return {
    picture,
    at: (x) => [across.step(x)],
    mark: ([step]) => fill(dot, { cx: points[step][0], cy: points[step][1], visibility: "visible" }, []),
    value: ([step]) => values[step],
  };
}
